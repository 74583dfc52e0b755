import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ShellFolder from "../../src/tools/ShellFolder.ts"

describe("ShellFolder.follow", () => {
  it.live("a folder for temporary files of any name is written in, and nothing of its name is run", () =>
    Effect.gen(function*() {
      const before = process.env["TMPDIR"]
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-test-")))
      const work = join(folder, "work")
      mkdirSync(join(work, "sub"), { recursive: true })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (before === undefined) delete process.env["TMPDIR"]
          else process.env["TMPDIR"] = before
          rmSync(folder, { recursive: true, force: true })
        })
      )
      for (const name of ["$(touch ran)", "`touch ran`", "a\"b", "a'b", "a\\", "$HOME", "a b;touch ran", "é*", "a!b"]) {
        mkdirSync(join(folder, name))
        process.env["TMPDIR"] = join(folder, name)
        const { command, where } = yield* ShellFolder.follow("cd sub; echo here")
        const { stderr, stdout } = spawnSync("bash", ["-c", command], { cwd: work, encoding: "utf8" })
        assert.strictEqual(`${stdout}${stderr}`, "here\n", name)
        assert.strictEqual(yield* where, join(work, "sub"), name)
      }
      assert.deepStrictEqual([readdirSync(work), readdirSync(join(work, "sub"))], [["sub"], []])
    }))
})
