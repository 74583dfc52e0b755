import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Edit } from "../../src/tools/Edit.ts"
import { Glob } from "../../src/tools/Glob.ts"
import { Grep } from "../../src/tools/Grep.ts"
import { NotebookEdit } from "../../src/tools/NotebookEdit.ts"
import { Read } from "../../src/tools/Read.ts"
import { Write } from "../../src/tools/Write.ts"
import { bench } from "./runTool.ts"

const what = (at: string, to: string) =>
  `\`${at}\` is a link to \`${to}\`, which does not exist; make what it leads to, or give another path`

describe("a link that leads to nothing", () => {
  it.live("is named, with where it leads and what to do, by every tool that can't go on", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      symlinkSync("nothing", join(cwd, "link"))
      symlinkSync("../away/nothing", join(cwd, "link.ipynb"))
      const message = (...[tool, input]: Parameters<typeof failure>) =>
        Effect.map(failure(tool, input), (failed) => failed.message)
      assert.strictEqual(yield* message(Read, { file_path: "link" }), what("link", "nothing"))
      assert.strictEqual(
        yield* message(Edit, { file_path: "link", old_string: "a", new_string: "b" }),
        what("link", "nothing")
      )
      assert.strictEqual(
        yield* message(NotebookEdit, { notebook_path: "link.ipynb", cell_id: "a", new_source: "" }),
        what("link.ipynb", "../away/nothing")
      )
      assert.strictEqual(yield* message(Glob, { pattern: "*", path: "link" }), what("link", "nothing"))
      assert.strictEqual(yield* message(Grep, { pattern: "x", path: "link" }), what("link", "nothing"))
    }))

  it.live("is named where it stands on the way, and nothing is written", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      symlinkSync("nothing", join(cwd, "link"))
      const there = what(join(cwd, "link"), "nothing")
      assert.strictEqual((yield* failure(Read, { file_path: "link/a/b" })).message, there)
      assert.strictEqual((yield* failure(Glob, { pattern: "*", path: "link/a" })).message, there)
      assert.strictEqual(
        (yield* failure(Write, { file_path: "link/a/b", content: "" })).message,
        `\`link/a/b\` can't be written: ${there}`
      )
      assert.deepStrictEqual(readdirSync(cwd), ["link"])
    }))

  it.live("is written through, and the result says where to", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      mkdirSync(join(cwd, "sub"))
      symlinkSync("sub/new", join(cwd, "link"))
      const shown = `\`${join(cwd, "link")}\`, a link to \`${join(cwd, "sub/new")}\`,`
      assert.strictEqual(
        yield* text(Write, { file_path: "link", content: "a\n" }),
        `created ${shown} (2 bytes, 1 line)`
      )
      assert.include(
        yield* text(Edit, { file_path: "link", old_string: "a", new_string: "b" }),
        `changed ${shown} in 1 place`
      )
      assert.strictEqual(readFileSync(join(cwd, "sub/new"), "utf8"), "b\n")
    }))

  it.live("is passed over by a search of the folder that it stands in, as every link is", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a"), "x\n")
      symlinkSync("nothing", join(cwd, "link"))
      assert.strictEqual(yield* text(Glob, { pattern: "*" }), "a")
      assert.strictEqual(yield* text(Grep, { pattern: "x" }), "a")
    }))

  it.live("and one that leads in a circle are told apart", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      symlinkSync("link", join(cwd, "link"))
      const calls = [
        [Read, { file_path: "link" }],
        [Write, { file_path: "link", content: "" }],
        [Edit, { file_path: "link", old_string: "a", new_string: "b" }],
        [Glob, { pattern: "*", path: "link" }],
        [Grep, { pattern: "x", path: "link" }]
      ] as const
      for (const [tool, input] of calls) {
        assert.match((yield* failure(tool, input)).message, /^`link` could not be \w+: its links lead in a circle$/)
      }
    }))
})
