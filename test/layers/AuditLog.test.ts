import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AuditEntry, standard } from "../../src/domain/AuditEntry.ts"
import { maxLineBytes } from "../../src/layers/audit/entryLine.ts"
import { readAudit } from "../../src/layers/audit/readAudit.ts"
import * as AuditLogLayers from "../../src/layers/AuditLog.ts"
import { AuditLog } from "../../src/services/AuditLog.ts"
import { permit } from "../support/calls.ts"
import { smallDisk } from "../support/smallDisk.ts"
import { withFolder } from "./files/withFolder.ts"

const entry: AuditEntry = {
  version: 1,
  time: "2026-01-01T00:00:00.000Z",
  session: "s",
  id: "toolu_1",
  tool: "Bash",
  cwd: "/repo",
  mode: "default",
  verdict: "allow",
  by: "rule",
  why: "a rule allows it",
  input: { command: "ls" },
  decision: permit
}

const log = (state: string) =>
  Effect.provide(AuditLog, AuditLogLayers.layerFiles(state).pipe(Layer.provide(NodeServices.layer)))

const linesOf = (state: string): ReadonlyArray<string> => {
  const reader = readAudit(join(state, "audit"))
  const lines: Array<string> = []
  for (let piece = reader.next(); piece !== undefined; piece = reader.next()) lines.push(...piece)
  reader.close()
  return lines
}

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(AuditEntry))

const decode = (line: string): AuditEntry => decodeLine(line)

describe("AuditLog", () => {
  it.effect("one line a decision, whole, for the user alone", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const { record } = yield* log(folder)
        yield* record(entry, standard)
        yield* record({ ...entry, id: "toolu_2", verdict: "deny", by: "person" }, standard)
        const file = join(folder, "audit/audit.ndjson")
        assert.deepStrictEqual(linesOf(folder).map(decode), [
          entry,
          { ...entry, id: "toolu_2", verdict: "deny", by: "person" }
        ])
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(folder, "audit")).mode & 0o777, 0o700)
      })
    ))

  it.effect("where no settings want it, nothing is created", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        yield* (yield* log(folder)).record(entry, undefined)
        assert.isFalse(existsSync(join(folder, "audit")))
      })
    ))

  it.effect("a file that is full is set aside, and only the newest are kept", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const { record } = yield* log(folder)
        for (let at = 0; at < 100; at++) {
          yield* record({ ...entry, id: `t${at}`, why: "w".repeat(1_000) }, { maxBytes: 10_000, keep: 3 })
        }
        const names = readdirSync(join(folder, "audit")).sort()
        assert.strictEqual(names.filter((name) => /^audit-\d+\.ndjson$/.test(name)).length, 3)
        assert.isFalse(names.some((name) => name.endsWith(".lock")))
        const ids = linesOf(folder).map((line) => decode(line).id)
        assert.strictEqual(ids.at(-1), "t99")
        assert.deepStrictEqual(ids, Array.from({ length: ids.length }, (_, at) => `t${100 - ids.length + at}`))
        for (const name of names) assert.isBelow(statSync(join(folder, "audit", name)).size, 12_000)
      })
    ))

  it.effect("a line that a full disk cut off costs itself alone", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        mkdirSync(join(folder, "audit"))
        writeFileSync(join(folder, "audit/audit.ndjson"), "{\"version\":1,\"time\":\"20")
        yield* (yield* log(folder)).record(entry, standard)
        assert.deepStrictEqual(decode(linesOf(folder)[1] ?? ""), entry)
      })
    ))

  it.effect("what can't be written fails as data and says why", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "state"), "a file is in the way")
        const error = yield* Effect.flip((yield* log(join(folder, "state"))).record(entry, standard))
        assert.strictEqual(
          error.message,
          "the decision is not in the audit log: the file has a file where a folder should be"
        )
      })
    ))

  it.effect("a folder that vanished is made anew", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const { record } = yield* log(join(folder, "state"))
        yield* record(entry, standard)
        yield* Effect.promise(() => import("node:fs/promises").then(({ rm }) => rm(folder, { recursive: true })))
        yield* record({ ...entry, id: "after" }, standard)
        assert.deepStrictEqual(linesOf(join(folder, "state")).map((line) => decode(line).id), ["after"])
      })
    ))

  it.live("a disk that is full fails as data, and the log goes on once there is room", (test) =>
    smallDisk(test, (disk) =>
      Effect.gen(function*() {
        const { record } = yield* log(disk.folder)
        yield* record(entry, standard)
        disk.fill()
        let failed: string | undefined
        for (let at = 0; at < 100 && failed === undefined; at++) {
          const kept = yield* Effect.result(record({ ...entry, why: "w".repeat(1_500) }, standard))
          if (kept._tag === "Failure") failed = kept.failure.message
        }
        assert.strictEqual(failed, "the decision is not in the audit log: the file has no space left on its disk")
        disk.free()
        yield* record({ ...entry, id: "after" }, standard)
        const lines = linesOf(disk.folder)
        assert.strictEqual(decode(lines.at(-1) ?? "").id, "after")
        // All that was taken for written can be read, and of the one that failed at most a piece is there.
        assert.isAtMost(lines.filter((line) => !line.endsWith("}")).length, 1)
      })))

  it.effect.prop("a line is one line, JSON, and never too long, whatever the entry", {
    text: Schema.String,
    times: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30_000 })),
    judged: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))
  }, ({ judged, text, times }) =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const long = text.repeat(Math.ceil(times / Math.max(1, text.length)))
        const one = {
          demand: long,
          verdict: "allow",
          mustAsk: false,
          row: 6,
          by: "rule",
          why: text,
          candidates: [{ by: "rule", row: 6, says: "allow", matched: "yes", why: long, deciding: true }]
        } as const
        yield* (yield* log(folder)).record({
          ...entry,
          input: { text, long, [text]: [long, long] },
          why: long,
          decision: { ...permit, judged: Array.from({ length: judged }, () => one) }
        }, standard)
        const file = readFileSync(join(folder, "audit/audit.ndjson"))
        assert.isAtMost(file.length, maxLineBytes)
        assert.strictEqual(file.indexOf("\n"), file.length - 1)
        assert.strictEqual(decode(linesOf(folder)[0] ?? "").id, entry.id)
      })
    ), { arbitrary: { runs: 60 } })

  it.effect("an input that can't be written costs the line its input alone", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const throws = () => {
          throw new Error("nobody may look at it")
        }
        const inputs: ReadonlyArray<{ readonly [field: string]: unknown }> = [
          { deep: Array.from({ length: 100_000 }).reduce<unknown>((below) => ({ below }), "end") },
          { toJSON: throws },
          { inside: { toJSON: throws } },
          Object.defineProperty({}, "text", { enumerable: true, get: throws })
        ]
        const { record } = yield* log(folder)
        for (const input of inputs) yield* record({ ...entry, input }, standard)
        const { input: _, ...rest } = entry
        assert.deepStrictEqual(linesOf(folder).map(decode), inputs.map(() => ({ ...rest, cut: true })))
      })
    ))

  it.live(
    "several processes write one log under load, every line whole and none lost",
    () =>
      withFolder((folder) =>
        Effect.gen(function*() {
          const writers = 4
          const each = 1_500
          const codes = yield* Effect.forEach(Array.from({ length: writers }, (_, at) => at), (at) =>
            Effect.callback<number | null>((resume) => {
              const script = join(import.meta.dirname, "audit/writeMany.ts")
              const child = spawn(process.execPath, [script, folder, String(at), String(each)], { stdio: "inherit" })
              child.on("exit", (code) => resume(Effect.succeed(code)))
            }), { concurrency: "unbounded" })
          assert.deepStrictEqual(
            codes,
            Array.from({ length: writers }, () =>
              0)
          )
          const ids = linesOf(folder).map((line) =>
            decode(line).id
          )
          assert.strictEqual(ids.length, writers * each)
          assert.strictEqual(new Set(ids).size, writers * each)
          for (let at = 0; at < writers; at++) {
            const own = ids.filter((id) => id.startsWith(`${at}-`)).map((id) => Number(id.split("-")[1]))
            assert.deepStrictEqual(own, Array.from({ length: each }, (_, number) => number))
          }
          assert.isAbove(readdirSync(join(folder, "audit")).length, 5)
        })
      )
  )
})

describe("readAudit", () => {
  it.effect("goes on where it was, over files that are set aside meanwhile, and reads nothing twice", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const { record } = yield* log(folder)
        const reader = readAudit(join(folder, "audit"))
        assert.isUndefined(reader.next())
        const seen: Array<string> = []
        for (let at = 0; at < 300; at++) {
          yield* record({ ...entry, id: `t${at}`, why: "w".repeat(500) }, { maxBytes: 9_000, keep: 100 })
          if (at % 7 !== 0) continue
          for (let piece = reader.next(); piece !== undefined; piece = reader.next()) {
            seen.push(...piece.map((line) => decode(line).id))
          }
        }
        for (let piece = reader.next(); piece !== undefined; piece = reader.next()) {
          seen.push(...piece.map((line) => decode(line).id))
        }
        reader.close()
        assert.deepStrictEqual(seen, Array.from({ length: 300 }, (_, at) => `t${at}`))
      })
    ))

  it.effect("half a line is given once the rest of it is there", () =>
    withFolder((folder) =>
      Effect.sync(() => {
        mkdirSync(join(folder, "audit"))
        const file = join(folder, "audit/audit.ndjson")
        const reader = readAudit(join(folder, "audit"))
        writeFileSync(file, "one\ntw")
        assert.deepStrictEqual(reader.next(), ["one"])
        assert.isUndefined(reader.next())
        appendFileSync(file, "o ä\nthree")
        assert.deepStrictEqual(reader.next(), ["two ä"])
        appendFileSync(file, `${"x".repeat(1_000_000)}\nfour\n`)
        const lines: Array<string> = []
        for (let piece = reader.next(); piece !== undefined; piece = reader.next()) lines.push(...piece)
        assert.deepStrictEqual(lines, ["four"])
        assert.strictEqual(reader.tooLong(), 1)
        reader.close()
      })
    ))
})
