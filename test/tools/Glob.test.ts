import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Glob, type GlobValue } from "../../src/tools/Glob.ts"
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
      assert.deepStrictEqual(subject({ pattern: "*.ts" }), { _tag: "Search", path: "." })
    }))

  it.live("what lies above the folder is not found", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      files(cwd, "in/a", "out/b")
      assert.strictEqual(yield* text(Glob, { pattern: "x/../../out/*", path: "in" }), "no files found")
      assert.strictEqual(yield* text(Glob, { pattern: "{../out,.}/*", path: "in" }), "no files found")
    }))
})
