/** A process of its own that writes to an audit log as fast as it can: state directory, name, how many lines. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerFiles } from "../../../src/layers/AuditLog.ts"
import { AuditLog } from "../../../src/services/AuditLog.ts"

const [, , state = "", name = "", count = "0"] = process.argv

const program = Effect.gen(function*() {
  const { record } = yield* AuditLog
  for (let at = 0; at < Number(count); at++) {
    yield* record({
      version: 1,
      time: new Date().toISOString(),
      session: name,
      id: `${name}-${at}`,
      tool: "Bash",
      cwd: "/repo",
      mode: "default",
      verdict: "allow",
      by: "rule",
      why: "w".repeat((at * 37) % 1_900),
      decision: {
        verdict: "allow",
        mustAsk: false,
        row: 6,
        by: "rule",
        why: "a rule allows it",
        judged: [],
        suggestions: []
      }
    }, { maxBytes: 500_000, keep: 100 })
  }
})

await Effect.runPromise(Effect.provide(program, layerFiles(state).pipe(Layer.provide(NodeServices.layer))))
