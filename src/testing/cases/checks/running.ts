/**
 * Sentences about what runs, for how long, and what is left of it.
 *
 * @since 0.1.0
 */
import { type Check, check, type Checks } from "../Check.ts"
import type { Observation } from "../Observation.ts"

const line = (seen: Observation, id?: string): ReadonlyArray<string> =>
  seen.starts.filter((start) => id === undefined || start.id === id).map(({ input }) => String(input["command"] ?? ""))

const runs = (program: string) => (seen: Observation): boolean =>
  line(seen).some((command) => command.includes(program))

const returns = (millis: number): Check =>
  check((seen) => seen.escaped === undefined && seen.millis < millis, "shell", "clock")

const nothingLeft: Check = check((seen) => seen.left.length === 0, "shell")

const text = ({ results }: Observation): string => results[0]?.text ?? ""

/** What a command printed: the tool's own value of it, which no notice is part of. */
const printed = (seen: Observation): string => {
  const output = seen.starts[0]?.output
  if (typeof output === "object" && output !== null && "stdout" in output) return String(output.stdout)
  return text(seen)
}

const spoken = (seen: Observation): string => [...seen.results.map(({ text }) => text), ...seen.notes].join("\n")

const failed = ({ results }: Observation): boolean => results[0]?.failed === true

/** The lines between the first that opens a here-document and the one that ends it. */
const body = (command: string): string => {
  const lines = command.split("\n")
  const mark = /<<-?\s*['"\\]?([^\s'"]+)/.exec(command)?.[1]
  const from = lines.findIndex((each) => each.includes("<<")) + 1
  const to = lines.findIndex((each, index) => index >= from && each.trim() === mark)
  return lines.slice(from, to < 0 ? undefined : to).join("\n")
}

/** A refusal that the case accepts: nothing ran that the sentence could be about. */
const refused = ({ case: { expect }, readings, starts }: Observation): boolean =>
  starts.length === 0 && readings.some((reading) => expect.alsoOk?.includes(reading) === true)

const limitOf = (seen: Observation): unknown => seen.starts[0]?.input["timeout"]

/**
 * @category checks
 * @since 0.1.0
 */
export const running: Checks = {
  "git push does not run": check((seen) => !runs("git push")(seen)),
  "npm publish does not run": check((seen) => !runs("npm publish")(seen)),
  "npm publish runs": check(runs("npm publish")),
  "t2 runs": check(({ starts }) => starts.some(({ id }) => id === "t2")),
  "the command that runs is npm test --silent": check((seen) =>
    seen.starts.length === 1 && line(seen)[0] === "npm test --silent"
  ),
  "the tool is not started": check(({ starts }) => starts.length === 0),
  "the agent is never started": check(({ starts }) => starts.length === 0),
  "the server receives title as an empty text": check(({ starts }) => starts[0]?.input["title"] === ""),
  "the time limit is 120000 ms": check((seen) => refused(seen) || limitOf(seen) === 120_000),
  "the tool runs with its default time limit": check((seen) =>
    refused(seen) || seen.starts.length === 1 && (limitOf(seen) === undefined || limitOf(seen) === 120_000)
  ),
  "the result says which limit was used": check((seen) => refused(seen) || /\b600000 ms\b/.test(text(seen)), "shell"),
  "the result is an error that names the time limit": check(
    (seen) => failed(seen) && /time limit/.test(text(seen)) && text(seen).includes(String(limitOf(seen))),
    "shell"
  ),
  "the result is an error that names the signal or code 137": check(
    (seen) => failed(seen) && /\b137\b|SIGKILL/.test(text(seen)),
    "shell"
  ),
  "the exit code is in the text": check((seen) => /\bexit code \d+\b/i.test(text(seen)), "shell"),
  "the final notice says exit code 3": check((seen) => /\bexit code 3\b/i.test(spoken(seen)), "shell"),
  "the final notice says exit code 7": check((seen) => /\bexit code 7\b/i.test(spoken(seen)), "shell"),
  "the command runs in the foreground": check(
    (seen) => refused(seen) || seen.starts.length === 1 && !/\bbackground\b/.test(text(seen)) && seen.left.length === 0,
    "shell"
  ),
  "it ends at once with empty output": check(
    (seen) => seen.starts.length === 1 && seen.millis < 2_000 && printed(seen) === "",
    "shell",
    "clock"
  ),
  "it ends within 2 seconds": returns(2_000),
  "the call returns within 3 seconds": returns(3_000),
  "the call returns within 6 seconds": returns(6_000),
  "the call returns within 8 seconds": returns(8_000),
  "it returns at once, it does not wait": check((seen) => seen.escaped === undefined && seen.millis < 1_000, "clock"),
  "the decision is reached within 2 seconds": check((seen) => seen.decidedMillis < 2_000, "clock"),
  "no process is left": nothingLeft,
  "no sleep process is left": nothingLeft,
  "no sleep or cat process is left": nothingLeft,
  "the process group is ended": nothingLeft,
  "the output is exactly: \"; echo INJECTED; echo \"": check(
    (seen) => printed(seen) === "\"; echo INJECTED; echo \"",
    "shell"
  ),
  "the output is exactly: Hello, with no warning on stderr": check(
    (seen) => printed(seen).trimEnd() === "Hello" && !/warning/i.test(text(seen)),
    "shell"
  ),
  "the output is exactly the two body lines": check(
    (seen) => printed(seen).trimEnd() === body(line(seen)[0] ?? "") && printed(seen).trimEnd().split("\n").length === 2,
    "shell"
  ),
  "the output is: done": check((seen) => printed(seen).trim() === "done", "shell")
}
