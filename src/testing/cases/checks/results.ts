/**
 * Sentences about the results that the model gets.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ToolResult } from "../../../domain/ToolResult.ts"
import { type Check, check, type Checks } from "../Check.ts"
import type { Observation, SeenResult } from "../Observation.ts"

const first = ({ results }: Observation): SeenResult | undefined => results[0]

const textOf = (seen: Observation): string => first(seen)?.text ?? ""

const of = (seen: Observation, id: string): SeenResult | undefined => seen.results.find((result) => result.id === id)

const whole = (seen: Observation): boolean => seen.escaped === undefined

const failed = (seen: Observation): boolean => whole(seen) && first(seen)?.failed === true

const succeeded = (seen: Observation): boolean => whole(seen) && first(seen)?.failed === false

const one = (seen: Observation): boolean => whole(seen) && seen.results.length === 1

const oneEach = (seen: Observation): boolean =>
  whole(seen) && seen.results.length === seen.uses.length &&
  seen.uses.every(({ id }) => seen.results.filter((result) => result.id === id).length === 1)

const answersFirst = (seen: Observation): boolean =>
  seen.results.filter(({ id }) => id === seen.uses[0]?.id).length === 1

const exactly = (number: number) => (seen: Observation): boolean => whole(seen) && seen.results.length === number

const onlyFails = (ids: ReadonlyArray<string>) => (seen: Observation): boolean =>
  oneEach(seen) && seen.results.every(({ failed, id }) => failed === ids.includes(id))

const wellFormed = (seen: Observation): boolean =>
  seen.results.length > 0 &&
  seen.results.every(({ raw, result }) => raw.isWellFormed() && !hasLoneSurrogate(JSON.stringify(result)))

// `JSON.stringify` spells a lone surrogate as an escape.
const hasLoneSurrogate = (json: string): boolean => /\\ud[89a-f]/i.test(json)

const isToolResult = Schema.decodeUnknownResult(ToolResult)

const names = (...fields: ReadonlyArray<string>): Check =>
  check((seen) => failed(seen) && fields.every((field) => new RegExp(`\\b${field}\\b`).test(textOf(seen))))

const within = (seen: Observation): boolean =>
  seen.results.length > 0 &&
  seen.results.every(({ failed, raw }) =>
    raw.length <= (failed ? seen.case.given.settings?.maxErrorChars ?? seen.limit : seen.limit)
  )

const behaviour = (seen: Observation) =>
  seen.case.given.tools?.find(({ name }) => name === seen.case.call.name)?.behaviour

const produced = (seen: Observation): number => {
  const repeat = behaviour(seen)?.returnsRepeat ?? behaviour(seen)?.stdoutRepeat ?? behaviour(seen)?.throwsRepeat
  return repeat === undefined ? 0 : repeat.text.length * repeat.count
}

const storedPath = (seen: Observation) => seen.stored.find(({ path }) => textOf(seen).includes(path))

/**
 * @category checks
 * @since 0.1.0
 */
export const results: Checks = {
  "A and B are still in it": check((seen) => /A[^]*B/.test(textOf(seen))),
  "JSON.stringify of it holds no lone surrogate": check(wellFormed),
  "the handed-over text is well-formed": check(wellFormed),
  "the handed-over text is well-formed UTF-16": check(wellFormed),
  "the next request to the model is well-formed": check((seen) =>
    oneEach(seen) && wellFormed(seen) && seen.results.every(({ result }) => Result.isSuccess(isToolResult(result)))
  ),
  "both calls have one result": check((seen) => oneEach(seen) && seen.results.length === 2),
  "exactly one result for t1": check((seen) => seen.results.filter(({ id }) => id === "t1").length === 1),
  "exactly one tool_result for this call, marked as an error": check((seen) => answersFirst(seen) && failed(seen)),
  "exactly one tool_result for this call, not an error": check((seen) => answersFirst(seen) && succeeded(seen)),
  "exactly one tool_result, marked as an error": check((seen) => one(seen) && failed(seen)),
  "it is marked as an error": check(failed),
  "the result is marked as an error": check(failed),
  "the result is an error result": check(failed),
  "the result is an error result and nothing escapes": check(failed),
  "the tool result is a success": check(succeeded),
  "the tool result is still a success": check(succeeded),
  "no exception escapes": check(whole),
  "the caller still answers the next call": check((seen) => whole(seen) && seen.answersNext),
  "one error result with a general text": check((seen) => one(seen) && failed(seen) && textOf(seen).trim() !== ""),
  "one error result that holds the text": check((seen) =>
    one(seen) && failed(seen) && textOf(seen).includes(String(behaviour(seen)?.throwsValue ?? behaviour(seen)?.throws))
  ),
  "one error result that names the directory; no exception escapes": check(
    (seen) => one(seen) && failed(seen) && textOf(seen).includes(seen.case.given.cwd),
    "shell",
    "gone"
  ),
  "no id is answered twice in the next message": check((seen) =>
    new Set(seen.results.map(({ id }) => id)).size === seen.results.length
  ),
  "no result says that it was cancelled because of t1": check((seen) =>
    oneEach(seen) && seen.results.every(({ id, text }) => id === "t1" || !/cancel/i.test(text))
  ),
  "only t2 is marked as an error": check(onlyFails(["t2"])),
  "t2 and t3 are marked as errors": check(onlyFails(["t2", "t3"])),
  "t1 has an error result that names the deny rule": check((seen) => {
    const denies = Object.values(seen.case.given.rules ?? {}).flatMap(({ deny }) => deny ?? [])
    return of(seen, "t1")?.failed === true && denies.some((rule) => of(seen, "t1")?.text.includes(String(rule)))
  }),
  "t2 and t3 return their own results": check((seen) =>
    ["t2", "t3"].every((id) => {
      const told = seen.case.given.batch?.find((call) => call.id === id)?.behaviour?.returns
      return of(seen, id)?.failed === false && (told === undefined || of(seen, id)?.text === told)
    })
  ),
  "three results": check(exactly(3)),
  "three results, one for each id": check((seen) => exactly(3)(seen) && oneEach(seen)),
  "the order of the results is that of the calls": check((seen) =>
    oneEach(seen) && seen.results.every(({ id }, index) => id === seen.uses[index]?.id)
  ),
  "the message names command": names("command"),
  "the message names timeout": names("timeout"),
  "the message names file_path and content": names("file_path", "content"),
  "the message names raw_arguments as unknown": names("raw_arguments"),
  "the refusal names the mode as its reason": check((seen) => failed(seen) && /\bmode\b/.test(textOf(seen))),
  "the error text says which rule, mode or part of the command led to it": check((seen) => {
    const { explained } = seen
    const parts = [explained?.rule?.text ?? "", ...explained?.judged.map(({ demand }) => demand) ?? []]
    return failed(seen) &&
      (/\bmode\b/.test(textOf(seen)) || parts.some((part) => part !== "" && textOf(seen).includes(part)))
  }),
  "the error text of the third refusal differs from the first and says so": check(({ results: [one, , three] }) =>
    one !== undefined && three !== undefined && one.text !== three.text && /\b(times|again|in a row)\b/.test(three.text)
  ),
  "the text handed to the model is within the limit": check(within, "shell"),
  "one result, cut to the limit": check((seen) =>
    one(seen) && within(seen) && textOf(seen).length < Math.max(produced(seen), 1)
  ),
  "the result is handed over whole": check((seen) =>
    succeeded(seen) && (first(seen)?.raw.length ?? 0) === produced(seen) && seen.stored.length === 0
  ),
  "it says that the full text could not be kept": check((seen) =>
    /could not be kept|could not be (saved|written)|can't be kept|not kept|folder for results/.test(textOf(seen))
  ),
  "the full output is in a file whose path is given": check(
    (seen) => (storedPath(seen)?.size ?? 0) >= Math.max(1, produced(seen)),
    "shell"
  ),
  "the model gets a beginning, the size and the path": check(
    (seen) => {
      const kept = storedPath(seen)
      return kept !== undefined && textOf(seen).includes(String(kept.size)) && textOf(seen).indexOf(kept.path) > 0
    },
    "shell"
  ),
  "the kept output has an upper limit": check(
    (seen) => seen.stored.every(({ size }) => size <= 64 * 1024 * 1024 + 65_536),
    "shell"
  ),
  "the saved session entry is smaller than 20 kB": check((seen) =>
    seen.sessionBytes < 20_000 && seen.results.every(({ result }) => JSON.stringify(result).length < 20_000)
  ),
  "memory use stays below 200 MB": check((seen) => seen.grownBytes < 200 * 1024 * 1024, "shell"),
  "the text is one fire emoji and a newline": check((seen) => textOf(seen) === "\u{1f525}\n"),
  "the result holds no line from /repo/secrets": check(
    (seen) => holdsNothingOf(seen, "/repo/secrets"),
    "files",
    "shell"
  ),
  "if it runs, the result names no file in /repo/secrets": check(
    (seen) => seen.starts.length === 0 || holdsNothingOf(seen, "/repo/secrets"),
    "files",
    "shell"
  ),
  "the file is unchanged": check((seen) => seen.before === seen.after, "files"),
  "the file holds all 30001 characters": check((seen) => seen.after?.length === 30_001, "files")
}

const holdsNothingOf = (seen: Observation, folder: string): boolean => {
  const { fs = {} } = seen.case.given
  const below = Object.entries(fs).filter(([path]) => path.startsWith(`${folder}/`))
  const hidden = below.flatMap(([path, text]) => [
    path,
    path.slice(folder.lastIndexOf("/") + 1),
    ...(typeof text === "string" && !["dir", "file"].includes(text)
      ? text.split("\n").filter((line) => line !== "")
      : [])
  ])
  return seen.results.length > 0 && !hidden.some((text) => textOf(seen).includes(text))
}
