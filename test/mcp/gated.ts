/** The whole gate around servers, in a folder of its own. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import { textOf, type ToolResult } from "../../src/domain/ToolResult.ts"
import * as Approver from "../../src/layers/Approver.ts"
import type { StdioServer } from "../../src/mcp/ServerConfig.ts"
import { Pipeline } from "../../src/pipeline.ts"
import type { Approver as ApproverService } from "../../src/services/Approver.ts"
import type { McpServers } from "../../src/services/McpServers.ts"
import type { ToolRegistry } from "../../src/services/ToolRegistry.ts"
import { layer, type Options } from "../../src/toolgate.ts"
import { withFolder } from "../layers/files/withFolder.ts"
import { use } from "../support/services.ts"

export interface Gate {
  readonly folder: string
  /** Calls a tool, and gives whether that went well and the text of the result. */
  readonly call: (name: string, input?: unknown) => Effect.Effect<string, never, Pipeline>
  readonly result: (name: string, input?: unknown) => Effect.Effect<ToolResult, never, Pipeline>
  readonly events: (name: string, input?: unknown) => Effect.Effect<ReadonlyArray<CallEvent>, never, Pipeline>
  /** Runs with another gate in the same folder. */
  readonly again: <A, E>(
    body: Effect.Effect<A, E, McpServers | Pipeline | ToolRegistry>,
    options?: GateOptions
  ) => Effect.Effect<A, E>
}

export interface GateOptions extends Partial<Options> {
  readonly environment?: { readonly [name: string]: string | undefined }
}

/** Runs with servers by name, whose tools are all allowed unless `allowedTools` says otherwise. */
export const gated = <A, E>(
  servers: { readonly [name: string]: Partial<StdioServer> | { readonly url: string; readonly type?: string } },
  body: (gate: Gate) => Effect.Effect<A, E, McpServers | Pipeline | ToolRegistry>,
  options: GateOptions = {}
): Effect.Effect<A, E> =>
  withFolder((folder) => {
    const made = ({ environment, ...more }: GateOptions) =>
      layer({
        context: { session: "s", cwd: folder, directories: [] },
        allowedTools: Object.keys(servers).map((name) => `mcp__${name}`),
        mcp: {
          configs: [JSON.stringify({ mcpServers: servers })],
          environment: { PATH: process.env["PATH"], ...environment }
        },
        home: folder,
        managedRoot: join(folder, "managed"),
        state: join(folder, "state"),
        ...more
      })
    const result: Gate["result"] = (name, input = {}) => Effect.flatMap(Pipeline, (one) => one.run(use(name, input)))
    const gate: Gate = {
      folder,
      result,
      call: (name, input) =>
        Effect.map(result(name, input), ({ content, is_error }) => `${is_error ? "failed: " : ""}${textOf(content)}`),
      events: (name, input = {}) => Effect.flatMap(Pipeline, (one) => Stream.runCollect(one.stream(use(name, input)))),
      again: (again, more = options) => Effect.provide(again, made(more))
    }
    return Effect.provide(body(gate), made(options))
  })

/** An approver that counts what it was asked. */
export const counting = (
  asked: Array<string>,
  answer: "Once" | "Denied" = "Once"
): Layer.Layer<ApproverService> =>
  Approver.layerFunction((question) =>
    Effect.sync(() => {
      asked.push(`${question.tool}: ${question.decision.why}`)
      return { _tag: answer }
    })
  )
