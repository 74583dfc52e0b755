import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Glob, type GlobValue } from "../../src/tools/Glob.ts"
import { Read } from "../../src/tools/Read.ts"
import { bench } from "./runTool.ts"

/** Writes files, the last one the newest. */
const files = (cwd: string, ...names: ReadonlyArray<string>) => {
  names.forEach((name, index) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), "")
    utimesSync(join(cwd, name), 1_000 + index, 1_000 + index)
  })
}

/** The pipeline knows nothing of a value's type; this tool gives no other. */
const valueOf = (value: unknown) => value as GlobValue

describe("Glob", () => {
  it.live("files are found newest first, hidden and ignored ones too, but none in `.git`", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      files(cwd, "a.ts", "src/b.ts", ".hidden/c.ts", "dist/d.ts", ".git/e.ts", "f.js")
      writeFileSync(join(cwd, ".gitignore"), "dist\n")
      assert.strictEqual(yield* text(Glob, { pattern: "**/*.ts" }), "dist/d.ts\n.hidden/c.ts\nsrc/b.ts\na.ts")
      assert.strictEqual(yield* text(Glob, { pattern: "*.ts", path: "src" }), "src/b.ts")
      assert.strictEqual(yield* text(Glob, { pattern: "src/*.{js,ts}" }), "src/b.ts")
      assert.strictEqual(yield* text(Glob, { pattern: ".git/*" }), ".git/e.ts")
    }))

  it.live("a hundred files are shown, and the result says that there are more", () =>
    Effect.gen(function*() {
      const { cwd, run, text } = yield* bench()
      files(cwd, ...Array.from({ length: 450 }, (_, index) => `${index}.x`))
      const { value } = yield* run(Glob, { pattern: "*" })
      assert.deepInclude(valueOf(value), { numFiles: 100, totalFiles: 450, truncated: true })
      const said = yield* text(Glob, { pattern: "*" })
      assert.isTrue(said.startsWith("449.x\n448.x\n"))
      assert.isTrue(
        said.endsWith("350.x\n[the newest 100 of 450 files are shown; a narrower pattern shows others]")
      )
    }))

  it.live("nothing found is said", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      assert.strictEqual(yield* text(Glob, { pattern: "*.none" }), "no files found")
    }))

  it.live("what may not be read is left out, and the result says so", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench({ mayRead: (path) => !path.includes("secret") })
      files(cwd, "a", "secrets/b", "secrets/c")
      symlinkSync("secrets", join(cwd, "link"))
      assert.strictEqual(
        yield* text(Glob, { pattern: "**" }),
        "a\n[2 files were left out that the rules do not open to this call]"
      )
      for (const path of ["secrets", "link"]) {
        assert.include((yield* failure(Glob, { pattern: "*", path })).message, "the rules do not open")
      }
    }))

  it.live("a folder that is missing or none is said to be", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      files(cwd, "file", "folder/x")
      assert.strictEqual((yield* failure(Glob, { pattern: "*", path: "file" })).message, "`file` is no folder")
      assert.strictEqual(
        (yield* failure(Glob, { pattern: "*", path: "foldr" })).message,
        "`foldr` does not exist; beside it there is `folder`"
      )
      rmSync(join(cwd, "file"))
    }))

  it.live("a pattern is only ever a pattern", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      files(cwd, "a", "!b", "-c")
      assert.strictEqual(yield* text(Glob, { pattern: "!b" }), "!b")
      assert.strictEqual(yield* text(Glob, { pattern: "-c" }), "-c")
      assert.strictEqual(yield* text(Glob, { pattern: "--files" }), "no files found")
      assert.include((yield* failure(Glob, { pattern: "{a" })).message, "unclosed alternate group")
    }))

  it.live("an absolute pattern is searched, and judged, where it begins", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      files(cwd, "src/deep/a.ts", "src/b.ts", "other/src/c.ts")
      assert.strictEqual(yield* text(Glob, { pattern: `${cwd}/src/**/*.ts` }), "src/b.ts\nsrc/deep/a.ts")
      assert.strictEqual(yield* text(Glob, { pattern: "./src/*.ts" }), "src/b.ts")
      const subject = (input: object) => Result.getOrThrow(Glob.prepare(input)).subject
      assert.deepStrictEqual(subject({ pattern: "/etc/ssl/*.pem" }), { _tag: "Search", path: "/etc/ssl" })
      assert.deepStrictEqual(subject({ pattern: "/etc/passwd", path: "src" }), { _tag: "Search", path: "/etc" })
      assert.deepStrictEqual(subject({ pattern: "/*" }), { _tag: "Search", path: "/" })
      assert.deepStrictEqual(subject({ pattern: "~/.ssh/*" }), { _tag: "Search", path: "~/.ssh" })
      assert.deepStrictEqual(subject({ pattern: "../*.ts", path: "src/x" }), { _tag: "Search", path: "src" })
      assert.deepStrictEqual(subject({ pattern: "x/../../out/*", path: "in" }), { _tag: "Search", path: "out" })
      assert.deepStrictEqual(subject({ pattern: "x/../../../*" }), { _tag: "Search", path: "../.." })
      assert.deepStrictEqual(subject({ pattern: "*.ts" }), { _tag: "Search", path: "." })
    }))

  it.live("what lies above the folder is not found by what stands behind a wildcard", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      files(cwd, "in/a", "out/b")
      assert.strictEqual(yield* text(Glob, { pattern: "{../out,.}/*", path: "in" }), "no files found")
    }))

  it.live("what no list of names could show is shown so that it can't be taken for something else", () =>
    Effect.gen(function*() {
      const { cwd, run, text } = yield* bench()
      files(cwd, "b", "a\nb", "\u202etxt.exe")
      assert.strictEqual(yield* text(Glob, { pattern: "*" }), "`\\u202etxt.exe`\n`a\\nb`\nb")
      assert.deepStrictEqual(valueOf((yield* run(Glob, { pattern: "*" })).value).filenames, [
        "\u202etxt.exe",
        "a\nb",
        "b"
      ])
    }))

  it.live.skipIf(process.platform !== "linux")(
    "a name that is no text is there all the same, and Read says why it can't",
    () =>
      Effect.gen(function*() {
        const { cwd, failure, text } = yield* bench()
        writeFileSync(Buffer.concat([Buffer.from(`${cwd}/bad`), Buffer.of(0xff)]), "")
        assert.strictEqual(yield* text(Glob, { pattern: "*" }), "bad\ufffd")
        assert.include((yield* failure(Read, { file_path: "bad\ufffd" })).message, "holds bytes that are no UTF-8")
      })
  )

  it.live("a pattern may go up before its first wildcard, and not after", () =>
    Effect.gen(function*() {
      const { cwd, text, validate } = yield* bench()
      files(cwd, "a/b.ts", "c/d.ts")
      assert.strictEqual(yield* text(Glob, { pattern: "a/../c/*.ts" }), "c/d.ts")
      assert.strictEqual(yield* text(Glob, { pattern: "../*.ts", path: "a" }), "no files found")
      assert.strictEqual(yield* text(Glob, { pattern: "../c/*.ts", path: "a" }), "c/d.ts")
      for (const pattern of ["*/../c/*.ts", "**/..", "a/", "/", "./", "file:///etc/*"]) {
        assert.strictEqual((yield* validate(Glob, { pattern }))._tag, "Refused", pattern)
      }
    }))
})
