import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { FileState } from "../../../src/domain/SessionState.ts"
import { makeSeenFiles } from "../../../src/layers/files/seenFiles.ts"
import { withFolder } from "./withFolder.ts"

const state = (hash: string): FileState => ({ mtimeMillis: 1, size: 2, hash, whole: true })

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").filter((line) => line !== "")

const inFolder = (
  test: (parts: {
    readonly files: ReturnType<typeof makeSeenFiles>
    readonly another: () => ReturnType<typeof makeSeenFiles>
    readonly folder: string
    readonly file: string
  }) => Effect.Effect<void, unknown>
) =>
  withFolder((folder) => {
    const another = () => makeSeenFiles((session) => join(folder, session))
    return test({ files: another(), another, folder, file: join(folder, "s/seen.ndjson") })
  })

describe("seenFiles", () => {
  it.effect("what was seen is known to whoever asks later, by session", () =>
    inFolder(({ another, file, files, folder }) =>
      Effect.gen(function*() {
        assert.isUndefined(yield* files.seen("s", "/a"))
        assert.isFalse(existsSync(join(folder, "s")))
        yield* files.saw("s", "/a", state("one"))
        yield* files.saw("s", "/a", state("two"))
        for (const one of [files, another()]) {
          assert.deepStrictEqual(yield* one.seen("s", "/a"), state("two"))
          assert.isUndefined(yield* one.seen("s", "/b"))
          assert.isUndefined(yield* one.seen("other", "/a"))
        }
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(folder, "s")).mode & 0o777, 0o700)
      })
    ))

  it.effect("nothing is written where nothing is new, and what is seen at once is written at once", () =>
    inFolder(({ file, files }) =>
      Effect.gen(function*() {
        yield* Effect.forEach(["/a", "/b", "/c"], (path) => files.saw("s", path, state(path)), {
          concurrency: "unbounded"
        })
        const before = readFileSync(file, "utf8")
        assert.strictEqual(linesOf(file).length, 3)
        // One empty line before each writing.
        assert.strictEqual(before.split("\n").filter((line) => line === "").length, 2)
        yield* files.saw("s", "/b", state("/b"))
        assert.strictEqual(readFileSync(file, "utf8"), before)
      })
    ))

  it.effect("two that write the same session see what the other saw", () =>
    inFolder(({ another, file, files }) =>
      Effect.gen(function*() {
        const other = another()
        for (let at = 0; at < 20; at++) {
          yield* (at % 2 === 0 ? files : other).saw("s", `/${at}`, state(`${at}`))
          assert.deepStrictEqual(yield* (at % 2 === 0 ? other : files).seen("s", `/${at}`), state(`${at}`))
        }
        assert.strictEqual(linesOf(file).length, 20)
      })
    ))

  it.effect("a line that was cut off counts for nothing and harms no other", () =>
    inFolder(({ another, file, files }) =>
      Effect.gen(function*() {
        yield* files.saw("s", "/a", state("one"))
        appendFileSync(file, `\n${JSON.stringify({ path: "/b", state: state("two") }).slice(0, -10)}\0\0`)
        const later = another()
        assert.isUndefined(yield* later.seen("s", "/b"))
        yield* later.saw("s", "/b", state("three"))
        yield* later.saw("s", "/c", state("four"))
        for (const one of [files, later, another()]) {
          assert.deepStrictEqual(yield* one.seen("s", "/a"), state("one"))
          assert.deepStrictEqual(yield* one.seen("s", "/b"), state("three"))
          assert.deepStrictEqual(yield* one.seen("s", "/c"), state("four"))
        }
      })
    ))

  it.effect("a session that was removed or replaced is seen as it is now", () =>
    inFolder(({ another, file, files, folder }) =>
      Effect.gen(function*() {
        yield* files.saw("s", "/a", state("one"))
        yield* another().saw("t", "/b", state("two"))
        yield* another().saw("t", "/c", state("three"))
        renameSync(join(folder, "t/seen.ndjson"), file)
        assert.isUndefined(yield* files.seen("s", "/a"))
        assert.deepStrictEqual(yield* files.seen("s", "/b"), state("two"))
        rmSync(join(folder, "s"), { recursive: true })
        assert.isUndefined(yield* files.seen("s", "/b"))
        yield* files.saw("s", "/b", state("two"))
        assert.strictEqual(linesOf(file).length, 1)
      })
    ))

  it.effect("a place that can't be written fails as data, for everybody who waited", () =>
    inFolder(({ files, folder }) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "s"), "a file is in the way")
        const errors = yield* Effect.forEach(["/a", "/b"], (path) => Effect.flip(files.saw("s", path, state(path))), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(errors.map((error) => error._tag), ["StoreFailed", "StoreFailed"])
        rmSync(join(folder, "s"))
        mkdirSync(join(folder, "s"))
        yield* files.saw("s", "/a", state("/a"))
        assert.deepStrictEqual(yield* files.seen("s", "/a"), state("/a"))
      })
    ))

  it.effect.prop(
    "whatever is seen is read back, with any path",
    { seen: Schema.Array(Schema.Tuple([Schema.String, FileState])) },
    ({ seen }) =>
      inFolder(({ another, files }) =>
        Effect.gen(function*() {
          for (const [path, given] of seen) yield* files.saw("s", path, given)
          const last = new Map(seen)
          const again = another()
          for (const [path, given] of last) {
            // JSON knows no negative zero, and UTF-8 no half of a character.
            if (path.isWellFormed() && given.hash.isWellFormed()) {
              assert.deepStrictEqual(yield* again.seen("s", path), JSON.parse(JSON.stringify(given)))
            }
          }
        })
      ),
    { arbitrary: { runs: 50 } }
  )
})
