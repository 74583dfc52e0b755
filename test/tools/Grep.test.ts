import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Grep } from "../../src/tools/Grep.ts"
import type { GrepValue } from "../../src/tools/GrepSearch.ts"
import { bench } from "./runTool.ts"

const write = (cwd: string, files: Record<string, string>) => {
  Object.entries(files).forEach(([name, text], index) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
    utimesSync(join(cwd, name), 1_000 + index, 1_000 + index)
  })
}

const sorted = (text: string) => text.split("\n").sort()

/** The pipeline knows nothing of a value's type; this tool gives no other. */
const valueOf = (value: unknown) => value as GrepValue

describe("Grep", () => {
  it.live("files with matches are found newest first, ignored ones and `.git` left out", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, { "a": "foo", "b": "bar", "dist/c": "foo", ".git/d": "foo", ".e": "foo", ".gitignore": "dist\n" })
      assert.strictEqual(yield* text(Grep, { pattern: "foo" }), ".e\na")
      assert.strictEqual(
        yield* text(Grep, { pattern: "foo", head_limit: 1 }),
        ".e\n[1 of 2 files are shown; read on with offset 1]"
      )
      assert.strictEqual(yield* text(Grep, { pattern: "foo", offset: 1 }), "a")
    }))

  it.live("an offset behind all that matches is not taken for no matches", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, { "a": "foo", "b": "foo" })
      for (const output_mode of ["content", "files_with_matches", "count"]) {
        const said = yield* text(Grep, { pattern: "foo", output_mode, offset: 2 })
        assert.match(said, /^no matches from offset 2 on$/m)
        assert.notInclude(said, "no matches found")
      }
    }))

  it.live("lines are shown with path and number, or without", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, { "a.txt": "one\ntwo foo\nthree\n" })
      const content = { pattern: "foo", output_mode: "content" }
      assert.strictEqual(yield* text(Grep, content), "a.txt:2:two foo")
      assert.strictEqual(yield* text(Grep, { ...content, "-n": false }), "a.txt:two foo")
      assert.strictEqual(yield* text(Grep, { ...content, "-o": true }), "a.txt:2:foo")
      assert.strictEqual(yield* text(Grep, { ...content, "-A": 1 }), "a.txt:2:two foo\na.txt-3-three")
      assert.strictEqual(yield* text(Grep, { ...content, "-B": 1 }), "a.txt-1-one\na.txt:2:two foo")
      assert.strictEqual(yield* text(Grep, { ...content, context: 1 }), "a.txt-1-one\na.txt:2:two foo\na.txt-3-three")
      assert.strictEqual(yield* text(Grep, { ...content, path: "a.txt" }), "a.txt:2:two foo")
    }))

  it.live("lines are counted", () =>
    Effect.gen(function*() {
      const { cwd, run, text } = yield* bench()
      write(cwd, { a: "x\nx x\ny\n", b: "x\n" })
      const input = { pattern: "x", output_mode: "count" }
      assert.deepStrictEqual(sorted(yield* text(Grep, input)), ["[3 matching lines in 2 files]", "a:2", "b:1"])
      assert.deepInclude(valueOf((yield* run(Grep, input)).value), { mode: "count", numFiles: 2, numMatches: 3 })
    }))

  it.live("case, names, types and several lines", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, { "a.ts": "Foo\nbar", "b.py": "Foo\nbaz" })
      assert.strictEqual(yield* text(Grep, { pattern: "foo" }), "no matches found")
      assert.strictEqual(yield* text(Grep, { pattern: "foo", "-i": true, glob: "*.ts" }), "a.ts")
      assert.strictEqual(yield* text(Grep, { pattern: "Foo", glob: "!*.ts" }), "b.py")
      assert.strictEqual(yield* text(Grep, { pattern: "Foo", type: "py" }), "b.py")
      assert.strictEqual(yield* text(Grep, { pattern: "Foo.ba[rz]", multiline: true, type: "ts" }), "a.ts")
    }))

  it.live("a pattern is only ever a pattern", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, { a: "--pre=rm -e -foo\n" })
      assert.strictEqual(yield* text(Grep, { pattern: "-foo" }), "a")
      assert.strictEqual(yield* text(Grep, { pattern: "--pre=rm" }), "a")
      assert.strictEqual(yield* text(Grep, { pattern: "x", glob: "--pre=touch pwned" }), "no matches found")
    }))

  it.live("what is wrong with a pattern, type, glob or path is said in one line", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const message = (input: object) => Effect.map(failure(Grep, input), (failed) => failed.message)
      assert.strictEqual(
        yield* message({ pattern: "foo(" }),
        "the pattern is no valid regular expression: unclosed group"
      )
      assert.strictEqual(
        yield* message({ pattern: "foo", type: "nosuch" }),
        "ripgrep says `unrecognized file type: nosuch`"
      )
      assert.include(yield* message({ pattern: "x{1000}{1000}{1000}" }), "compiled regex exceeds size limit")
      assert.include(yield* message({ pattern: "foo", glob: "{a" }), "unclosed alternate group")
      assert.strictEqual(yield* message({ pattern: "foo", path: "none" }), "`none` does not exist")
    }))

  it.live("no line of a file that may not be read is shown, by whatever name it is found", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench({ mayRead: (path) => !/secret|\.env$/.test(path) })
      write(cwd, {
        "open.txt": "key=1\n",
        "secrets/a.txt": "key=2\n",
        ".env": "key=3\n",
        "secret\nopen.txt": "key=4\n",
        "secret:1:x": "key=5\n"
      })
      symlinkSync("secrets", join(cwd, "link"))
      for (const output_mode of ["content", "files_with_matches", "count"]) {
        const said = yield* text(Grep, { pattern: "key", output_mode, context: 2 })
        assert.match(said, /^open\.txt/)
        assert.notMatch(said, /key=[2345]|secret/)
        assert.include(said, "4 files were left out")
      }
      for (const path of ["secrets", "link", ".env", "link/a.txt"]) {
        assert.include((yield* failure(Grep, { pattern: "key", path })).message, "the rules do not open")
      }
    }))

  it.live("names with line ends and colons are told apart", () =>
    Effect.gen(function*() {
      const { cwd, run } = yield* bench()
      write(cwd, { "a\nb": "x\n", "c:1:d": "x\n" })
      const { value } = yield* run(Grep, { pattern: "x", output_mode: "content" })
      assert.sameMembers([...valueOf(value).filenames], ["a\nb", "c:1:d"])
    }))

  it.live("a binary file that matches is named, and hides no other", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, { a: `foo\n${"x".repeat(100_000)}\n\0\n`, b: "foo\n", "sub/c": "\0foo" })
      const input = { pattern: "foo", output_mode: "content" }
      assert.deepStrictEqual(sorted(yield* text(Grep, input)), [
        "[`a` is binary and matches; its lines from there on are not shown]",
        "a:1:foo",
        "b:1:foo"
      ])
      assert.include(yield* text(Grep, { ...input, path: "sub/c" }), "`sub/c` is binary and matches")
    }))

  it.live("groups of lines are set apart", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, { a: "x\n1\n2\n3\n4\nx\n" })
      assert.strictEqual(
        yield* text(Grep, { pattern: "x", output_mode: "content", "-C": 1 }),
        "a:1:x\na-2-1\n--\na-5-4\na:6:x"
      )
    }))

  it.live("long lines, many lines and many characters are cut, and the result says how to read on", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      write(cwd, {
        a: "x\n".repeat(300),
        "sub/b": `x${"y".repeat(5_000)}\n`,
        "wide/c": `x${"z".repeat(400)}\n`.repeat(200)
      })
      const content = { pattern: "x", output_mode: "content" }
      const many = yield* text(Grep, { ...content, path: "a" })
      assert.isTrue(many.endsWith("a:250:x\n[250 lines are shown and there are more; read on with offset 250]"))
      assert.strictEqual((yield* text(Grep, { ...content, path: "a", offset: 250 })).split("\n").length, 50)
      assert.strictEqual((yield* text(Grep, { ...content, path: "a", head_limit: 0 })).split("\n").length, 300)
      assert.isBelow((yield* text(Grep, { ...content, path: "sub" })).length, 700)
      const wide = yield* text(Grep, { ...content, path: "wide", head_limit: 0 })
      assert.isBelow(wide.length, 30_000)
      assert.include(wide, "and there are more; read on with offset")
    }))

  it.live("what is no file is told by its kind, and a pattern with a line end how to be searched for", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      write(cwd, { "a\nb": "x\ny\n" })
      assert.strictEqual(yield* text(Grep, { pattern: "x", output_mode: "content" }), "`a\\nb`:1:x")
      assert.strictEqual(yield* text(Grep, { pattern: "x" }), "`a\\nb`")
      assert.strictEqual(yield* text(Grep, { pattern: "x", output_mode: "count" }), "`a\\nb`:1")
      assert.include((yield* failure(Grep, { pattern: "x\ny" })).message, "which needs `multiline`")
      assert.strictEqual(yield* text(Grep, { pattern: "x\ny", multiline: true }), "`a\\nb`")
      assert.include((yield* failure(Grep, { pattern: "x", path: "/dev/null" })).message, "is a device, not a file")
    }))
})
