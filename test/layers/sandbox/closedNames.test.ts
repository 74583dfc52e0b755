import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { closedNames } from "../../../src/layers/sandbox/closedNames.ts"
import { withFolder } from "../files/withFolder.ts"

describe("closedNames", () => {
  it.effect("of a repository what decides what git runs is closed, wherever it keeps it", () =>
    withFolder((folder) =>
      Effect.sync(() => {
        const start = closedNames(folder)
        const more = () =>
          closedNames(folder).filter((path) => !start.includes(path)).map((path) => relative(folder, path))
        writeFileSync(join(folder, ".git"), "gitdir: /elsewhere")
        assert.deepStrictEqual(more(), [".git"])
        // A folder that is a repository itself, as the one that a linked worktree needs open.
        writeFileSync(join(folder, "HEAD"), "")
        mkdirSync(join(folder, "objects"))
        assert.deepStrictEqual(more(), [".git", "config", "hooks"])
      })
    ))

  it.effect("a checkout's configuration and hooks are closed, and all else of it is open", () =>
    withFolder((folder) =>
      Effect.sync(() => {
        mkdirSync(join(folder, ".git"))
        const within = closedNames(folder).filter((path) => path.startsWith(join(folder, ".git/")))
        assert.deepStrictEqual(within, [join(folder, ".git/config"), join(folder, ".git/hooks")])
      })
    ))
})
