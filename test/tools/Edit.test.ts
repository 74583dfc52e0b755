import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Edit } from "../../src/tools/Edit.ts"
import { Read } from "../../src/tools/Read.ts"
import { type Bench, bench } from "./runTool.ts"

const withFile = (content: string | Uint8Array) =>
  Effect.gen(function*() {
    const made: Bench = yield* bench()
    writeFileSync(join(made.cwd, "a.txt"), content)
    yield* made.text(Read, { file_path: "a.txt" })
    const contents = () => readFileSync(join(made.cwd, "a.txt"))
    const change = (old_string: string, new_string: string, replace_all?: boolean) => ({
      file_path: "a.txt",
      old_string,
      new_string,
      ...(replace_all === undefined ? {} : { replace_all })
    })
    return { ...made, contents, change }
  })

describe("Edit", () => {
  it.live("one place is replaced, literally", () =>
    Effect.gen(function*() {
      const { change, contents, cwd, text } = yield* withFile("one\ntwo\nthree\n")
      const said = yield* text(Edit, change("two", "$& $1 $$"))
      assert.strictEqual(
        said,
        `changed \`${join(cwd, "a.txt")}\` in 1 place\n@@ -1,3 +1,3 @@\n one\n-two\n+$& $1 $$\n three`
      )
      assert.strictEqual(contents().toString(), "one\n$& $1 $$\nthree\n")
      yield* text(Edit, change("three", "four"))
    }))

  it.live("two equal texts change nothing", () =>
    Effect.gen(function*() {
      const { change, failure } = yield* withFile("x")
      assert.include((yield* failure(Edit, change("x", "x"))).message, "are the same")
    }))

  it.live("a text that is not there is said not to be, with what comes nearest", () =>
    Effect.gen(function*() {
      const { change, contents, failure } = yield* withFile("\tif (a) {\n\t\tb()\n\t}\n")
      const message = (old: string) => Effect.map(failure(Edit, change(old, "z")), (failed) => failed.message)
      assert.strictEqual(yield* message("nothing like it"), "`old_string` is not in `a.txt`")
      assert.strictEqual(
        yield* message("    if (a) {\n"),
        "`old_string` is not in `a.txt`; line 1 differs from its first line in white space alone: `\\tif (a) {`"
      )
      assert.include(yield* message("\tif (a) {\n\t\tc()"), "line 1 is its first line, but what follows differs")
      assert.include(yield* message("     1\t\tif (a) {"), "it begins with line numbers")
      assert.strictEqual(contents().toString(), "\tif (a) {\n\t\tb()\n\t}\n")
    }))

  it.live("a text that is there several times says how often and where", () =>
    Effect.gen(function*() {
      const { change, contents, failure, text } = yield* withFile("x\ny\nx x\n")
      assert.strictEqual(
        (yield* failure(Edit, change("x", "z"))).message,
        "`old_string` is 3 times in `a.txt`, on lines 1, 3, 3; add what stands around it, or set `replace_all`"
      )
      assert.include(yield* text(Edit, change("x", "z", true)), "in 3 places")
      assert.strictEqual(contents().toString(), "z\ny\nz z\n")
    }))

  it.live("a text whose places overlap is not replaced at the first of them", () =>
    Effect.gen(function*() {
      const { change, contents, failure, text } = yield* withFile("}\n\n}\n\n}\n")
      assert.strictEqual(
        (yield* failure(Edit, change("}\n\n}\n", "x"))).message,
        "`old_string` is in `a.txt` at places that overlap, on lines 1 and 3; add what stands around it"
      )
      yield* text(Edit, change("}\n\n}\n", "x", true))
      assert.strictEqual(contents().toString(), "x\n}\n")
    }))

  it.live("CRLF line ends, a mark and everything else stay", () =>
    Effect.gen(function*() {
      const { change, contents, text } = yield* withFile("\ufeffone\r\ntwo\r\nthree\nfour\n")
      yield* text(Edit, change("one\ntwo", "1\n2\n2b"))
      assert.strictEqual(contents().toString(), "\ufeff1\r\n2\r\n2b\r\nthree\nfour\n")
      yield* text(Edit, change("three\nfour", "3\n4"))
      assert.strictEqual(contents().toString(), "\ufeff1\r\n2\r\n2b\r\n3\n4\n")
    }))

  it.live("wide encodings stay", () =>
    Effect.gen(function*() {
      const { change, contents, text } = yield* withFile(Buffer.from("\ufeffüber\n", "utf16le").swap16())
      yield* text(Edit, change("über", "unter"))
      assert.deepStrictEqual(contents(), Buffer.from("\ufeffunter\n", "utf16le").swap16())
    }))

  it.live("bytes that are no text are not risked", () =>
    Effect.gen(function*() {
      const { change, contents, failure } = yield* withFile(Buffer.from("caf\xe9 x\n", "latin1"))
      assert.include((yield* failure(Edit, change("x", "y"))).message, "holds bytes that are no UTF-8")
      assert.strictEqual(contents().toString("latin1"), "caf\xe9 x\n")
    }))

  it.live("a file that was not read, or changed since, is left alone; a touch is no change", () =>
    Effect.gen(function*() {
      const { change, cwd, failure, files, text } = yield* withFile("a")
      utimesSync(join(cwd, "a.txt"), 1, 1)
      yield* text(Edit, change("a", "b"))
      writeFileSync(join(cwd, "a.txt"), "c")
      assert.include((yield* failure(Edit, change("c", "d"))).message, "was changed since it was read")
      files.clear()
      assert.include((yield* failure(Edit, change("c", "d"))).message, "was not read in this session")
    }))

  it.live("an empty old text fills what is new or empty, nothing else", () =>
    Effect.gen(function*() {
      const { change, contents, cwd, failure, text } = yield* withFile("")
      yield* text(Edit, change("", "now\n"))
      assert.strictEqual(contents().toString(), "now\n")
      assert.include((yield* failure(Edit, change("", "more"))).message, "is not empty")
      yield* text(Edit, { file_path: "new/b.txt", old_string: "", new_string: "made" })
      assert.strictEqual(readFileSync(join(cwd, "new/b.txt"), "utf8"), "made")
    }))

  it.live("a missing file is said to be missing", () =>
    Effect.gen(function*() {
      const { failure } = yield* withFile("")
      assert.strictEqual(
        (yield* failure(Edit, { file_path: "b.txt", old_string: "x", new_string: "y" })).message,
        "`b.txt` does not exist; beside it there is `a.txt`"
      )
    }))

  it.live("the mode is kept and nothing is left beside the file", () =>
    Effect.gen(function*() {
      const { change, cwd, text } = yield* withFile("a")
      chmodSync(join(cwd, "a.txt"), 0o640)
      yield* text(Edit, change("a", "b"))
      assert.strictEqual(statSync(join(cwd, "a.txt")).mode & 0o777, 0o640)
      assert.deepStrictEqual(readdirSync(cwd), ["a.txt"])
    }))

  it.live("a part that was read may be edited", () =>
    Effect.gen(function*() {
      const { change, cwd, files, text } = yield* withFile("1\n2\n")
      files.clear()
      yield* text(Read, { file_path: "a.txt", limit: 1 })
      yield* text(Edit, change("2", "3"))
      assert.deepInclude(files.get(join(cwd, "a.txt")), { whole: false })
    }))

  it.live("an edit of line ends alone, which are kept, does not pass for a change", () =>
    Effect.gen(function*() {
      const { change, contents, failure } = yield* withFile("a\r\nb\r\n")
      for (const edit of [change("a\r\nb", "a\nb"), change("\r\n", "\n", true)]) {
        assert.include((yield* failure(Edit, edit)).message, "would change, since its line ends stay as they are")
      }
      assert.strictEqual(contents().toString(), "a\r\nb\r\n")
    }))
})
