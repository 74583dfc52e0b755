import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawnSync } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CommandHook } from "../../../src/domain/Hook.ts"
import * as HookRunnerLayers from "../../../src/layers/HookRunner.ts"
import * as PathResolverLayers from "../../../src/layers/PathResolver.ts"
import { HookRunner } from "../../../src/services/HookRunner.ts"
import { callWith, hookOf } from "./callWith.ts"

const runner = HookRunnerLayers.layerCommands.pipe(Layer.provide(PathResolverLayers.layerVirtual({})))

const programs = {
  "gate.sh": `#!/bin/bash
input=$(cat)
case "$input" in
  *'git push'*) echo "pushing is for people" >&2; exit 2 ;;
esac
`,
  "gate.mjs": `import { readFileSync } from "node:fs"
const { tool_input } = JSON.parse(readFileSync(0, "utf8"))
if (tool_input.command.includes("--force")) {
  console.log(JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: "with force?",
      updatedInput: { ...tool_input, command: tool_input.command.replace("--force", "--force-with-lease") }
    }
  }))
}
`,
  "gate.py": `import json, re, sys
data = json.load(sys.stdin)
if re.search(r"\\\\brm\\\\b", data["tool_input"].get("command", "")):
    json.dump({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
               "permissionDecisionReason": "no deleting in " + data["cwd"]}}, sys.stdout)
`.replaceAll("\\\\", "\\"),
  "broken.py": "import no_such_module\n",
  "broken.mjs": "throw new Error(\"out of order\")\n"
}

const inFolder = (hook: (folder: string) => Omit<CommandHook, "type">, command: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-programs-")))
      for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 })
      return folder
    }),
    (folder) => {
      const context = { session: "s", cwd: folder, directories: [] }
      const policy = { ...callWith([]).policy, projectRoot: folder, hooks: [hookOf(hook(folder))] }
      return Effect.map(
        Effect.flatMap(
          HookRunner,
          (hooks) => hooks.preToolUse({ ...callWith([]), input: { command }, context, policy })
        ),
        (outcome) => ({ outcome, folder })
      )
    },
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ).pipe(Effect.provide(runner))

const shell = () => ({ command: "\"$CLAUDE_PROJECT_DIR\"/gate.sh" })
const node = (file: string) => () => ({ command: process.execPath, args: [`\${CLAUDE_PROJECT_DIR}/${file}`] })
const python = (file: string) => () => ({ command: `python3 "$CLAUDE_PROJECT_DIR/${file}"` })
const hasPython = spawnSync("python3", ["--version"]).status === 0

describe("hooks as people write them", () => {
  it.live("in Bash, which denies with exit code 2", () =>
    Effect.gen(function*() {
      const { outcome } = yield* inFolder(shell, "git push")
      assert.deepStrictEqual([outcome.decision, outcome.reason], ["deny", "pushing is for people"])
      assert.strictEqual((yield* inFolder(shell, "git status")).outcome.decision, "none")
    }))

  it.live("in Node, without a shell, which asks about another input", () =>
    Effect.gen(function*() {
      const { outcome } = yield* inFolder(node("gate.mjs"), "git push --force")
      assert.deepStrictEqual([outcome.decision, outcome.reason], ["ask", "with force?"])
      assert.deepStrictEqual(outcome.rewritten, { command: "git push --force-with-lease" })
    }))

  it.live.runIf(hasPython)("in Python, which denies with JSON", () =>
    Effect.gen(function*() {
      const { folder, outcome } = yield* inFolder(python("gate.py"), "rm -rf build")
      assert.deepStrictEqual([outcome.decision, outcome.reason], ["deny", `no deleting in ${folder}`])
      assert.strictEqual((yield* inFolder(python("gate.py"), "ls")).outcome.decision, "none")
    }))

  it.live.runIf(hasPython)(
    "one in Python or Node that breaks off is noted with what it said, and blocks if told to",
    () =>
      Effect.gen(function*() {
        for (
          const [hook, said] of [[python("broken.py"), /no_such_module/], [node("broken.mjs"), /out of order/]] as const
        ) {
          const { outcome } = yield* inFolder(hook, "ls")
          assert.strictEqual(outcome.decision, "none")
          assert.match(outcome.messages.join(), /failed with exit code 1/)
          assert.match(outcome.runs[0]?.stderr ?? "", said)
          const blocking = yield* inFolder(() => ({ ...hook(), onFailure: "block" }), "ls")
          assert.strictEqual(blocking.outcome.decision, "deny")
        }
      })
  )
})
