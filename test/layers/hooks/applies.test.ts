import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { applies } from "../../../src/layers/hooks/applies.ts"
import * as PathResolverLayers from "../../../src/layers/PathResolver.ts"
import { PathResolver } from "../../../src/services/PathResolver.ts"
import { callWith, hookOf } from "./callWith.ts"

const rows: ReadonlyArray<
  readonly [rule: string, tool: string, input: { readonly [key: string]: unknown }, runs: boolean]
> = [
  ["Bash", "Bash", { command: "ls" }, true],
  ["Bash", "Edit", { file_path: "/repo/a" }, false],
  ["Bash(git *)", "Bash", { command: "git push" }, true],
  ["Bash(git *)", "Bash", { command: "npm test" }, false],
  ["Bash(git *)", "Bash", { command: "cd x && FOO=1 git push" }, true],
  ["Bash(git *)", "Bash", { command: "echo $(git status)" }, true],
  ["Bash(git *)", "Bash", { command: "echo `git status`" }, true],
  ["Bash(git *)", "Bash", { command: "bash -c 'git push'" }, true],
  ["Bash(git *)", "Bash", { command: "echo git" }, false],
  ["Bash(git push *)", "Bash", { command: "git $VERB" }, true],
  ["Bash(git push *)", "Bash", { command: "git status" }, false],
  ["Bash(git *)", "Bash", { command: "if then (" }, true],
  ["Bash(git *)", "Edit", { file_path: "/repo/git" }, false],
  ["Edit(src/**)", "Edit", { file_path: "src/a.ts" }, true],
  ["Edit(src/**)", "Write", { file_path: "/repo/src/a.ts" }, true],
  ["Edit(src/**)", "Edit", { file_path: "/repo/lib/src/a.ts" }, false],
  ["Edit(src/**)", "Read", { file_path: "/repo/src/a.ts" }, false],
  ["Edit(*.ts)", "Edit", { file_path: "/repo/deep/a.ts" }, true],
  ["Edit(*.ts)", "Edit", { file_path: "/repo/a.js" }, false],
  ["Edit(/secret/**)", "Edit", { file_path: "/repo/link/x" }, true],
  ["Edit(*.ts)", "Bash", { command: "echo x > a.ts" }, true],
  ["Edit(*.ts)", "Bash", { command: "cat a.ts" }, false],
  ["Read(.env)", "Bash", { command: "cat .env" }, true],
  ["Read(.env)", "Grep", { pattern: "x" }, true],
  ["WebFetch(domain:example.com)", "WebFetch", { url: "https://example.com/x" }, true],
  ["WebFetch(domain:example.com)", "WebFetch", { url: "https://example.org/x" }, false],
  ["Agent(Explore)", "Agent", { subagent_type: "Explore" }, true],
  ["Task(Explore)", "Agent", { subagent_type: "Plan" }, false],
  ["mcp__github__.*", "mcp__github__get", {}, false],
  ["mcp__github", "mcp__github__get", {}, true],
  ["no rule (((", "Bash", { command: "ls" }, true],
  ["", "Bash", { command: "ls" }, true]
]

describe("the `if` of a hook", () => {
  for (const [rule, tool, input, runs] of rows) {
    it.effect(`${JSON.stringify(rule)} ${runs ? "lets" : "does not let"} it run for ${tool} ${JSON.stringify(input)}`, () =>
      Effect.gen(function*() {
        const call = callWith([], { tool, input, context: { session: "s", cwd: "/repo", directories: [] } })
        const entry = hookOf({ command: "x", if: rule }, { source: "localSettings" })
        assert.strictEqual(yield* applies(entry, call, yield* PathResolver), runs)
      }).pipe(
        Effect.provide(PathResolverLayers.layerVirtual({ "/repo/link": "-> /repo/secret", "/repo/secret": "dir" }))
      ))
  }
})
