/**
 * Runs ripgrep and takes its output a record at a time.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ChildProcess from "effect/process/ChildProcess"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { quoted } from "./quoted.ts"
import { SearchLimits } from "./SearchLimits.ts"
import type { SearchRoot } from "./searchRoot.ts"

/**
 * What has to be said of a search, and whether it looked everywhere it was to.
 *
 * @category models
 * @since 0.1.0
 */
export interface Searched {
  readonly notices: ReadonlyArray<string>
  readonly complete: boolean
}

/**
 * Runs ripgrep at a place and hands each record of its output to `take`, until
 * that says that it has enough. Gives back what has to be said of the search: what
 * it left out, could not read, or had no time for.
 *
 * **Details**
 *
 * ripgrep never reads a configuration file, and no operand is taken for a flag; the
 * place comes after `operands`. `separator` ends a record: a line end, or NUL in a
 * list of paths. It is ended as soon as `take` has enough.
 *
 * @category running
 * @since 0.1.0
 */
export const ripgrep = <E, R>(options: {
  readonly root: SearchRoot
  readonly flags: ReadonlyArray<string>
  readonly operands: ReadonlyArray<string>
  readonly separator: "\n" | "\0"
  readonly take: (record: string) => Effect.Effect<"more" | "enough", E, R>
}): Effect.Effect<Searched, ToolFailed | E, ChildProcessSpawner | R> =>
  Effect.gen(function*() {
    const { root, take } = options
    const { timeoutMillis } = yield* SearchLimits
    let records = 0
    const searched = search({
      ...options,
      take: (record) => {
        records += 1
        return take(record)
      }
    })
    const complaints = yield* Effect.timeoutOption(searched, timeoutMillis)
    const complete = complaints._tag === "Some"
    return {
      notices: [
        ...(complete ? complaints.value : [stopped(timeoutMillis, records)]),
        ...leftOut(root.madeUp.map((folder) => join(root.cwd, folder)))
      ],
      complete
    }
  })

const stopped = (limitMillis: number, records: number): string =>
  `the search was stopped after ${limitMillis / 1_000} seconds and ${records} results, before it had looked ` +
  "everywhere; search a folder further down, or for less"

const leftOut = (folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  folders.length === 0 ? [] : [
    `not searched, since the kernel makes up what is there: ${folders.slice(0, 5).map(quoted).join(", ")}${
      folders.length > 5 ? ` and ${folders.length - 5} more` : ""
    }; name such a folder as the path to search it`
  ]

const search = <E, R>({ flags, operands, root, separator, take }: Parameters<typeof ripgrep<E, R>>[0]): Effect.Effect<
  ReadonlyArray<string>,
  ToolFailed | E,
  ChildProcessSpawner | R
> =>
  Effect.scoped(Effect.gen(function*() {
    // Loaded here, since it throws where the system has no ripgrep of its own, and few commands search.
    const { rgPath } = yield* Effect.tryPromise({ try: () => import("@vscode/ripgrep"), catch: notStarted })
    const handle = yield* Effect.mapError(
      ChildProcess.make(
        rgPath,
        [
          "--no-config",
          "--color=never",
          ...flags,
          // The last one counts.
          ...root.madeUp.map((folder) => `--glob=!/${folder.replace(/[\\*?[\]{}]/g, "\\$&")}`),
          "--",
          ...operands,
          root.operand
        ],
        { cwd: root.cwd, stdin: "ignore", forceKillAfter: "1 second" }
      ),
      notStarted
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
    if (enough) return []
    const code = yield* Effect.mapError(handle.exitCode, broken)
    if (code < 2) return []
    const said = yield* Fiber.join(complaints)
    if (!some && isUsage(said)) return yield* new ToolFailed({ reason: explained(said) })
    return [`some of it could not be searched: ${explained(said)}`]
  }))

const notStarted = (cause: unknown): ToolFailed => new ToolFailed({ reason: "ripgrep could not be started", cause })

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
  /^error: |^rg: (regex |compiled regex |error parsing|unrecognized|the literal|unknown)/m.test(said)

/** ripgrep explains itself over several lines; the last one says what is wrong. */
const explained = (said: string): string => {
  const lines = said.split("\n").map((line) => line.trim()).filter((line) => line !== "")
  const pattern = lines.find((line) => line.startsWith("error: "))
  if (pattern !== undefined) return `the pattern is no valid regular expression: ${plain(pattern.slice(7))}`
  if (said.includes("is not allowed in a regex") && said.includes("\\n")) {
    return "the pattern holds a line end, which needs `multiline`"
  }
  const more = lines.length > 1 ? `, and ${lines.length - 1} more` : ""
  return `ripgrep says ${quoted(plain(lines[0] ?? "nothing"))}${more}`
}

const plain = (line: string): string => line.replace(/^rg: /, "").replace(/\.$/, "")
