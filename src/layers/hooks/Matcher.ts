/**
 * Which tools a hook listens to.
 *
 * @since 0.1.0
 */
import { createContext, runInContext } from "node:vm"
import { toolAliases } from "../../domain/toolNames.ts"

/**
 * A matcher that was read. `problem` says why one could not be: it then matches
 * every tool, since a hook that runs too often asks too much, and one that does
 * not run may have been the gate.
 *
 * @category models
 * @since 0.1.0
 */
export interface Matcher {
  readonly matches: (tool: string) => boolean
  readonly problem: string | undefined
}

/**
 * Reads a matcher.
 *
 * **Details**
 *
 * Nothing and `*` mean every tool. Names, in a list with `|` or `,`, are
 * compared whole; anything else is a regular expression that may match
 * anywhere. Names that a tool had before count as well. No expression can take
 * longer than a moment.
 *
 * @category parsing
 * @since 0.1.0
 */
export const read = (text: string): Matcher => {
  const known = cache.get(text)
  if (known !== undefined) return known
  if (cache.size > 1_000) cache.clear()
  const matcher = parse(text)
  cache.set(text, matcher)
  return matcher
}

const cache = new Map<string, Matcher>()

const all: Matcher = { matches: () => true, problem: undefined }

const parse = (text: string): Matcher => {
  if (text === "" || text === "*") return all
  if (/^[\w\-,| ]*$/.test(text)) {
    const names = new Set(text.split(/[,|]/).map((name) => name.trim()).filter((name) => name !== ""))
    return names.size === 0 ? all : { matches: named((name) => names.has(name)), problem: undefined }
  }
  return isExpression(text) ? expression(text) : everything("is no regular expression")
}

const everything = (problem: string): Matcher => ({ matches: () => true, problem })

const isExpression = (text: string): boolean => {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

const limitMillis = 50

/** An expression that takes longer than the limit for a name counts as matching it. */
const expression = (source: string): Matcher => {
  const answers = new Map<string, boolean>()
  let slow = false
  const test = (name: string, tries = 2): boolean => {
    try {
      // The engine can be stopped only where it runs in a context of its own.
      return runInContext("new RegExp(source).test(name)", createContext({ source, name }), {
        timeout: limitMillis
      }) === true
    } catch {
      // A machine that is busy may have held it up.
      if (tries > 1) return test(name, tries - 1)
      slow = true
      return true
    }
  }
  return {
    matches: named((name) => {
      const known = answers.get(name)
      if (known !== undefined) return known
      const answer = slow || test(name)
      if (answers.size < 1_000) answers.set(name, answer)
      return answer
    }),
    get problem() {
      return slow ? `takes longer than ${limitMillis} ms` : undefined
    }
  }
}

const named = (test: (name: string) => boolean) => (tool: string): boolean =>
  test(tool) || (formerNames.get(tool)?.some(test) ?? false)

const formerNames: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const former = new Map<string, Array<string>>()
  for (const [old, today] of toolAliases) former.set(today, [...former.get(today) ?? [], old])
  return former
})()
