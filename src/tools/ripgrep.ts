/**
 * Runs ripgrep and takes its output a record at a time.
 *
 * @since 0.1.0
 */
import { rgPath } from "@vscode/ripgrep"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ChildProcess from "effect/process/ChildProcess"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { quoted } from "./quoted.ts"

/**
 * Runs ripgrep in a folder and hands each record of its output to `take`, until
 * that says that it has enough. Gives back a complaint of ripgrep about files
 * that it could not read, if it has one.
 *
 * **Details**
 *
 * ripgrep never reads a configuration file, and nothing that comes after `--` is
 * taken for a flag. `separator` ends a record: a line end, or NUL in a list of
 * paths. It is ended as soon as `take` has enough.
 *
 * @category running
 * @since 0.1.0
 */
export const ripgrep = <E, R>(options: {
  readonly cwd: string
  readonly args: ReadonlyArray<string>
  readonly separator: "\n" | "\0"
  readonly take: (record: string) => Effect.Effect<"more" | "enough", E, R>
}): Effect.Effect<string | undefined, ToolFailed | E, ChildProcessSpawner | R> =>
  Effect.scoped(Effect.gen(function*() {
    const { args, cwd, separator, take } = options
    const handle = yield* Effect.mapError(
      ChildProcess.make(rgPath, ["--no-config", "--color=never", ...args], {
        cwd,
        stdin: "ignore",
        forceKillAfter: "1 second"
      }),
      (cause) => new ToolFailed({ reason: "ripgrep could not be started", cause })
    )
    const complaints = yield* Effect.forkScoped(beginningOf(handle.stderr))

    let some = false
    let enough = false
    yield* handle.stdout.pipe(
      Stream.mapError(broken),
      recordsOf(separator),
      Stream.mapEffect((record) => {
        some = true
        return take(record)
      }),
      Stream.runForEachWhile((said) =>
        Effect.sync(() => {
          enough = said === "enough"
          return !enough
        })
      )
    )
    if (enough) return undefined
    const code = yield* Effect.mapError(handle.exitCode, broken)
    if (code < 2) return undefined
    const said = yield* Fiber.join(complaints)
    if (!some && isUsage(said)) return yield* new ToolFailed({ reason: explained(said) })
    return explained(said)
  }))

const broken = (cause: unknown): ToolFailed => new ToolFailed({ reason: "ripgrep ended unexpectedly", cause })

const recordsOf = (separator: string) => <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  Stream.mapAccum(
    Stream.decodeText(bytes),
    () => "",
    (rest: string, text) => {
      const records = (rest + text).split(separator)
      return [records.pop() ?? "", records]
    },
    { onHalt: (rest) => rest === "" ? [] : [rest] }
  )

const longestComplaint = 8_192

const beginningOf = <E>(bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<string, ToolFailed> =>
  Effect.mapError(
    Stream.runFold(
      Stream.decodeText(bytes),
      () => "",
      (text, more) => text.length > longestComplaint ? text : text + more
    ),
    broken
  )

/** A complaint about what was asked for, not about a file that can't be read. */
const isUsage = (said: string): boolean =>
  /^error: |^rg: (regex |error parsing|unrecognized|the literal|unknown)/m.test(said)

/** ripgrep explains itself over several lines; the last one says what is wrong. */
const explained = (said: string): string => {
  const lines = said.split("\n").map((line) => line.trim()).filter((line) => line !== "")
  const pattern = lines.find((line) => line.startsWith("error: "))
  if (pattern !== undefined) return `the pattern is no valid regular expression: ${plain(pattern.slice(7))}`
  const more = lines.length > 1 ? `, and ${lines.length - 1} more` : ""
  return `ripgrep says ${quoted(plain(lines[0] ?? "nothing"))}${more}`
}

const plain = (line: string): string => line.replace(/^rg: /, "").replace(/\.$/, "")
