import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { Read, type ReadValue } from "../../src/tools/Read.ts"
import { bench } from "./runTool.ts"

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

/** The pipeline knows nothing of a value's type; of a text file this tool gives no other. */
const textValue = (value: unknown) => value as Extract<ReadValue, { readonly type: "text" }>

describe("Read", () => {
  it.live("lines are numbered", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a.txt"), "one\r\ntwo\n\nfour")
      assert.strictEqual(
        yield* text(Read, { file_path: "a.txt" }),
        "     1\tone\n     2\ttwo\n     3\t\n     4\tfour"
      )
    }))

  it.live("a range is shown, with what was left out and how to read on", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a.txt"), "1\n2\n3\n4\n5\n")
      assert.strictEqual(
        yield* text(Read, { file_path: "a.txt", offset: 2, limit: 2 }),
        "     2\t2\n     3\t3\n[lines 2 to 3 of 5 are shown; read on with offset 4]"
      )
      assert.strictEqual(yield* text(Read, { file_path: "a.txt", offset: 5 }), "     5\t5")
    }))

  it.live("two thousand lines are shown when nothing is asked for", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a.txt"), "x\n".repeat(2_500))
      const said = yield* text(Read, { file_path: "a.txt" })
      assert.isTrue(said.endsWith("  2000\tx\n[lines 1 to 2000 of 2500 are shown; read on with offset 2001]"))
    }))

  it.live("a long line is cut, never inside a character, and named", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a.txt"), `short\nx${"\u{1f525}".repeat(3_000)}\n`)
      const said = yield* text(Read, { file_path: "a.txt" })
      assert.include(said, "… [4002 more characters]\n[cut after 2000 characters: line 2]")
      assert.isTrue(said.isWellFormed())
    }))

  it.live("a page ends where it holds too many characters", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a.txt"), `${"y".repeat(1_999)}\n`.repeat(80))
      const said = yield* text(Read, { file_path: "a.txt" })
      assert.isBelow(said.length, 120_000)
      assert.include(
        said,
        "lines 1 to 50 of 80 are shown, as many as fit into 100000 characters; read on with offset 51"
      )
    }))

  it.live("an empty file is said to be empty", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a.txt"), "")
      assert.strictEqual(yield* text(Read, { file_path: "a.txt" }), "[the file exists and is empty]")
    }))

  it.live("a line after the last is no line", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      writeFileSync(join(cwd, "a.txt"), "1\n")
      assert.strictEqual(
        (yield* failure(Read, { file_path: "a.txt", offset: 7 })).message,
        "`a.txt` has 1 line, so there is nothing to read from line 7 on"
      )
    }))

  it.live("marks and wide encodings are read as text", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "utf8"), "\ufeffüber\n")
      writeFileSync(join(cwd, "wide"), Buffer.from("\ufeffüber\n", "utf16le"))
      writeFileSync(join(cwd, "big"), Buffer.from("\ufeffüber\n", "utf16le").swap16())
      for (const file_path of ["utf8", "wide", "big"]) {
        assert.strictEqual(yield* text(Read, { file_path }), "     1\tüber")
      }
    }))

  it.live("an image is shown", () =>
    Effect.gen(function*() {
      const { cwd, run } = yield* bench()
      writeFileSync(join(cwd, "a.jpg"), png)
      const { content } = yield* run(Read, { file_path: "a.jpg" })
      assert.deepStrictEqual(content, [
        { type: "image", source: { type: "base64", media_type: "image/png", data: png.toString("base64") } }
      ])
    }))

  it.live("an image that is too large is refused", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      writeFileSync(join(cwd, "a.png"), png)
      truncateSync(join(cwd, "a.png"), 6 * 1024 * 1024)
      assert.strictEqual(
        (yield* failure(Read, { file_path: "a.png" })).message,
        "the image `a.png` has 6 MB, and only 5 MB can be shown"
      )
    }))

  it.live("a binary file is refused with what it is", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      writeFileSync(join(cwd, "a"), Buffer.from([1, 2, 0, 3]))
      writeFileSync(join(cwd, "b"), "%PDF-1.7\n")
      assert.include((yield* failure(Read, { file_path: "a" })).message, "`a` is binary data")
      assert.include((yield* failure(Read, { file_path: "b" })).message, "`b` is a PDF document")
      assert.include((yield* failure(Read, { file_path: process.execPath })).message, "program or library")
    }))

  it.live("what is no file is refused and never opened", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      mkdirSync(join(cwd, "folder"))
      execFileSync("mkfifo", [join(cwd, "fifo")])
      assert.strictEqual((yield* failure(Read, { file_path: "folder" })).message, "`folder` is a folder, not a file")
      assert.strictEqual((yield* failure(Read, { file_path: "fifo" })).message, "`fifo` is a named pipe, not a file")
      assert.strictEqual(
        (yield* failure(Read, { file_path: "/dev/zero" })).message,
        "`/dev/zero` is a device, not a file"
      )
      const server = createServer()
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(join(cwd, "socket"), resolve)))
      assert.strictEqual((yield* failure(Read, { file_path: "socket" })).message, "`socket` is a socket, not a file")
      server.close()
    }))

  it.live("a missing file names those that may have been meant, if they may be read", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench({ mayRead: (path) => !path.endsWith("/secret.txt") })
      writeFileSync(join(cwd, "main.ts"), "")
      writeFileSync(join(cwd, "secret.txt"), "")
      assert.strictEqual(
        (yield* failure(Read, { file_path: "mian.ts" })).message,
        "`mian.ts` does not exist; beside it there is `main.ts`"
      )
      assert.strictEqual((yield* failure(Read, { file_path: "secrt.txt" })).message, "`secrt.txt` does not exist")
      assert.strictEqual(
        (yield* failure(Read, { file_path: "none/a.ts" })).message,
        "`none/a.ts` does not exist, nor does its folder"
      )
      assert.include((yield* failure(Read, { file_path: "main.ts/a" })).message, "is a file, not a folder")
    }))

  it.live("paths may begin at home", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      mkdirSync(join(cwd, "../home"))
      writeFileSync(join(cwd, "../home/a"), "home")
      assert.strictEqual(yield* text(Read, { file_path: "~/a" }), "     1\thome")
    }))

  it.live("a link is judged by where it leads", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench({ mayRead: (path) => !path.includes("secret") })
      mkdirSync(join(cwd, "secrets"))
      writeFileSync(join(cwd, "secrets/key"), "KEY")
      writeFileSync(join(cwd, "open"), "open")
      symlinkSync(join(cwd, "open"), join(cwd, "link"))
      assert.strictEqual(yield* text(Read, { file_path: "link" }), "     1\topen")
      rmSync(join(cwd, "link"))
      symlinkSync(join(cwd, "secrets/key"), join(cwd, "link"))
      const failed = yield* failure(Read, { file_path: "link" })
      assert.strictEqual(failed.message, "`link` leads to a place that the rules do not open to this call")
    }))

  it.live("a link that is swapped while it is being opened gains nothing", () =>
    Effect.gen(function*() {
      const judged: Array<string> = []
      const { cwd, text } = yield* bench({
        mayRead: (path) => {
          judged.push(path)
          rmSync(join(cwd, "link"))
          symlinkSync(join(cwd, "secret"), join(cwd, "link"))
          return true
        }
      })
      writeFileSync(join(cwd, "open"), "open")
      writeFileSync(join(cwd, "secret"), "secret")
      symlinkSync(join(cwd, "open"), join(cwd, "link"))
      assert.strictEqual(yield* text(Read, { file_path: "link" }), "     1\topen")
      assert.deepStrictEqual(judged, [join(cwd, "open")])
    }))

  it.live("a file above ten megabytes is read by range", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      writeFileSync(join(cwd, "big"), "0123456789abcde\n".repeat(800_000))
      assert.include((yield* failure(Read, { file_path: "big" })).message, "`big` has 12 MB, too much to read at once")
      assert.strictEqual(
        yield* text(Read, { file_path: "big", offset: 799_999, limit: 1 }),
        "799999\t0123456789abcde\n[lines 799999 to 799999 of 800000 are shown; read on with offset 800000]"
      )
    }))

  it.live("an enormous file is read no further than asked", () =>
    Effect.gen(function*() {
      const { cwd, files, run } = yield* bench()
      writeFileSync(join(cwd, "huge"), "a\nb\nc\n")
      truncateSync(join(cwd, "huge"), 5 * 1024 ** 3)
      // Holes are full of NUL, which only shows after the first bytes.
      writeFileSync(join(cwd, "huge"), "line\n".repeat(4_000), { flag: "r+" })
      const { value } = yield* run(Read, { file_path: "huge", offset: 2, limit: 1 })
      assert.deepInclude(textValue(value).file, { content: "line", startLine: 2 })
      assert.strictEqual(files.size, 0)
    }))

  it.live("what was read is remembered by its real path, and whether it was all", () =>
    Effect.gen(function*() {
      const { cwd, files, text } = yield* bench()
      writeFileSync(join(cwd, "a"), "1\n2\n")
      symlinkSync(join(cwd, "a"), join(cwd, "link"))
      yield* text(Read, { file_path: "link", limit: 1 })
      assert.deepInclude(files.get(join(cwd, "a")), { whole: false, size: 4 })
      yield* text(Read, { file_path: "link" })
      assert.deepInclude(files.get(join(cwd, "a")), { whole: true })
      yield* text(Read, { file_path: "link", limit: 1 })
      assert.deepInclude(files.get(join(cwd, "a")), { whole: true })
      writeFileSync(join(cwd, "a"), "1\n3\n")
      yield* text(Read, { file_path: "link", limit: 1 })
      assert.deepInclude(files.get(join(cwd, "a")), { whole: false })
    }))

  it.live("what can be no path is refused before anybody is asked", () =>
    Effect.gen(function*() {
      const { validate } = yield* bench()
      const said = (file_path: string) => validate(Read, { file_path })
      assert.deepInclude(yield* said(" "), { _tag: "Refused", code: 1 })
      assert.deepInclude(yield* said("a\0b"), { message: "`file_path` holds a NUL character: `a\\u0000b`", code: 2 })
      assert.deepInclude(yield* said("\ud800"), { _tag: "Refused", code: 3 })
      assert.deepStrictEqual(yield* said("a b"), { _tag: "Valid" })
    }))
})
