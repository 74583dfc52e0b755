/**
 * Reads a shell line as bash would: every simple command that it could start,
 * wherever it hides, and every file that its redirections open.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { parse } from "unbash"
import type { ShellLine, SimpleCommand } from "../../domain/ShellCommand.ts"
import type { Context } from "./Context.ts"
import { crudeScan } from "./crudeScan.ts"
import { telling, unseen } from "./guards.ts"
import { joinLines, type Ranges } from "./joinLines.ts"
import { type Frame, type Input, type Line, makeLine, misread, noInput, refuse, type Shell } from "./Line.ts"
import { makeCommand } from "./makeCommand.ts"
import { computesLoosely } from "./numbers.ts"
import { anywhere, type Place, start } from "./Place.ts"
import { losesSemicolon, readScript, relocate } from "./readScript.ts"

/**
 * Reads a line. Never throws; what it doesn't fully understand it refuses,
 * with the commands that it found all the same.
 *
 * **Example** (Finding the command behind a wrapper)
 *
 * ```ts
 * import { readLine } from "toolgate/permission/bash/readLine"
 *
 * const [outer] = readLine("timeout 5 rm -rf build").commands
 *
 * outer?.inner.map((command) => command.source) // => ["rm -rf build"]
 * ```
 *
 * @category reading
 * @since 0.1.0
 */
export const readLine = (source: string): ShellLine => {
  const line = makeLine(source)
  const commands: Array<SimpleCommand> = []
  if (source.length > longest) refuse(line, "longer than 10,000 characters")
  if (unseen.test(source) || !source.isWellFormed()) misread(line, "a character that can't be seen")
  if (source.length > longestParsed) misread(line, "longer than 100,000 characters")
  else readInto(commands, source, line)
  if (line.evaluates && line.quotedCode) misread(line, "quoted text that may be evaluated as code")
  if (line.evaluates && computesLoosely({ line })) {
    refuse(line, "arithmetic on a value that only running the line tells")
  }
  if (line.misread) commands.push(...scanned(source))
  return { source, commands, refused: line.refused }
}

const longest = 10_000
const longestParsed = 100_000

const readInto = (commands: Array<SimpleCommand>, source: string, line: Line): void => {
  const context: Context = { line, depth: 0, generous: true, command: makeCommand, text: readText }
  const read = Result.try({
    try: () => readProcess(source, start, noInput, context, commands),
    catch: () => "the stack or the parser gave up"
  })
  if (Result.isFailure(read)) misread(line, "a line that the parser gives up on")
}

const scanned = (source: string): ReadonlyArray<SimpleCommand> => {
  const context: Context = {
    line: makeLine(source),
    depth: 0,
    generous: true,
    command: makeCommand,
    text: (text, place, input, inside) => source.length > longest ? [] : readText(text, place, input, inside)
  }
  return crudeScan(source).map((words) =>
    makeCommand({ words, assignments: [], place: { directories: undefined }, input: noInput }, context)
  )
}

const readText: Context["text"] = (text, place, input, context) => {
  const commands: Array<SimpleCommand> = []
  readProcess(text, place, input, context, commands)
  return commands
}

/** What one shell process does with a text, added to `commands`. */
const readProcess = (
  text: string,
  place: Place,
  input: Input,
  context: Context,
  commands: Array<SimpleCommand>
): void => {
  const { line } = context
  line.budget -= 16
  if (line.budget < 0) return misread(line, "more nested text than can be read")
  if (!text.includes("\\\n")) {
    readJoined(text, place, input, context, commands, undefined)
    return
  }
  const joined = joinLines(text, (each, ranges) => {
    const scratch: Line = { ...line }
    readJoined(each, place, input, { ...context, line: scratch }, [], ranges)
  })
  const ranges: Ranges = { literal: [], words: [] }
  readJoined(joined.text, place, input, context, commands, ranges)
  if (!joined.agrees(ranges)) misread(line, "a line continuation in an odd place")
}

// The parser looks for the end of each of these through the whole text.
const isTooMuch = (text: string): boolean =>
  (text.includes("((") && (text.split("((").length - 1) * text.length > 4_000_000) ||
  (text.length > longest && text.split("<<").length > 4_000)

const rehoming = /HOME|CDPATH|set -|physical|cdable_vars|cdspell|autocd/
const reglobs = /GLOBIGNORE|nocaseglob|extglob/
const remade = new Set(["BASH_ALIASES", "BASH_CMDS"])

const rehomes =
  /\{(?:CDPATH|HOME)(?:\[[^\]]*\])?(?::?=|\}[<>&])|(?:^|[^$\w{!#])(?:CDPATH|HOME)\b|\bset\s+-[a-zA-Z]*P|\b(?:physical|cdable_vars|cdspell|autocd)\b/

const readJoined = (
  text: string,
  place: Place,
  input: Input,
  context: Context,
  commands: Array<SimpleCommand>,
  ranges: Ranges | undefined
): void => {
  if (isTooMuch(text)) return misread(context.line, "more arithmetic or here-documents than can be read")
  const plain = !telling.test(text)
  const shell: Shell = {
    functions: undefined,
    moves: false,
    rehomes: context.rehomed === true || (rehoming.test(text) && rehomes.test(text)),
    reglobs: context.reglobbed === true || reglobs.test(text),
    fed: false,
    replaced: context.replaced,
    hereDocs: [],
    input
  }
  const frame: Frame = {
    line: context.line,
    shell,
    source: text,
    plain,
    depth: context.depth,
    commands,
    literal: ranges?.literal,
    words: ranges?.words,
    assign: (name, source, value) => {
      context.line.budget -= 8
      if (context.line.budget < 0) return misread(context.line, "more assignments than can be read")
      if (remade.has(name)) refuse(context.line, "a name that comes to mean another program")
      // A name that only running tells may be one of these.
      if (!/^\w+$/.test(name) || name === "HOME" || name === "CDPATH") shell.rehomes = true
      if (!/^\w+$/.test(name) || name === "GLOBIGNORE") shell.reglobs = true
      const started = { words: [], assignments: [{ name, value }], place: anywhere, input: noInput }
      commands.push(makeCommand(started, context, source))
    },
    nested: (script, outer, here, fed) => {
      const source = script.source ?? outer.source
      const certain = shell.functions?.certain
      readScript(
        script,
        {
          ...outer,
          source,
          depth: outer.depth + 1,
          literal: script.source === undefined ? outer.literal : undefined,
          words: script.source === undefined ? outer.words : undefined
        },
        here,
        fed,
        context
      )
      if (shell.functions !== undefined) shell.functions.certain = certain ?? new Map()
      if (script.source === undefined && losesSemicolon(script, source, shell)) {
        misread(context.line, "a list after a here-document inside a substitution")
      }
    }
  }
  readScript(parse(text), frame, place, input, context)
  settle(frame)
}

// A name that is a function somewhere and not for sure where it is called may be either.
const settle = ({ commands, line, shell: { functions, moves } }: Frame): void => {
  if (functions === undefined) return
  const unclear = commands.some((command) => {
    const name = command.words[0]?.value
    return name !== undefined && functions.defined.has(name) && !functions.calls.has(command)
  })
  if (unclear) refuse(line, "a name that may or may not be a function")
  if (moves) { for (const [from, to] of functions.bodies) relocate(commands, from, to) }
}
