import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  Client,
  InMemoryTransport,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest
} from "@modelcontextprotocol/client"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as McpApprovalsLayers from "../../src/layers/McpApprovals.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { callTool } from "../../src/mcp/callTool.ts"
import type { Connection } from "../../src/mcp/connect.ts"
import { makeServers } from "../../src/mcp/makeServers.ts"
import { mcpTool } from "../../src/mcp/mcpTool.ts"
import { McpApprovals } from "../../src/services/McpApprovals.ts"
import { McpConfig } from "../../src/services/McpConfig.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { ToolRegistry } from "../../src/services/ToolRegistry.ts"
import { oneOf, pick } from "../../src/testing/arbitraries/oneOf.ts"
import { mostly, Outside, pipelineLaws } from "../support/pipelineLaws.ts"
import { context } from "../support/services.ts"
import { misbehaving } from "./servers.ts"

const text = Arbitrary.schema(Schema.String)
const nothing = Arbitrary.all({})

/** A server that misbehaves on request, as a program of its own. */
const program = Layer.unwrap(Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "toolgate-laws-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const log = join(folder, "log")
  const config = misbehaving(`log=${log}`)
  const { registry } = yield* makeServers({
    context: { ...context, cwd: folder },
    environment: { PATH: process.env["PATH"] },
    stateDirectory: join(folder, "state")
  }).pipe(
    Effect.provideService(McpConfig, {
      servers: () =>
        Effect.succeed({
          entries: [{
            name: "it",
            scope: "user",
            origin: { source: "userSettings" },
            brought: false,
            written: config,
            config
          }],
          diagnostics: []
        })
    }),
    Effect.provide(Layer.mergeAll(
      McpApprovalsLayers.layerMemory,
      ApproverLayers.layerDeny(),
      RuleSourcesLayers.layerMemory(),
      NodeServices.layer
    ))
  )
  const signal = new AbortController().signal
  /** A call that is answered says that the server has heard of all before it, and lives. */
  const answered: Effect.Effect<void> = Effect.gen(function*() {
    const found = yield* Effect.fromNullishOr(yield* registry.find("mcp__it__folder"))
    yield* Result.getOrThrow(found.tool.prepare({})).run({
      call: context,
      id: "sync",
      progress: () => Effect.void,
      seen: () => Effect.undefined,
      saw: () => Effect.void,
      mayRead: () => Effect.succeed(true),
      mayEdit: () => Effect.succeed(true),
      signal
    })
  }).pipe(Effect.catchCause(() => Effect.andThen(Effect.sleep(50), answered)))
  return Layer.mergeAll(
    Layer.succeed(ToolRegistry, registry),
    PathResolverLayers.layerVirtual({ "/repo": "dir" }),
    Layer.succeed(Outside, {
      context,
      begin: answered,
      look: Effect.sync(() =>
        String(
          existsSync(log)
            ? readFileSync(log, "utf8").split("\n").filter((line) => line.includes("tools/call")).length
            : 0
        )
      ),
      leftovers: Effect.succeed([])
    })
  )
}))

const said = Arbitrary.all({ text })

pipelineLaws({
  name: "the tools of a server that is a program",
  layer: program,
  inputs: {
    mcp__it__echo: mostly(said, Arbitrary.all({ text, count: pick("3", "x") })),
    mcp__it__fail: nothing,
    mcp__it__refuse: nothing,
    mcp__it__die: nothing,
    mcp__it__hang: nothing,
    mcp__it__garbage: nothing,
    mcp__it__flood: nothing,
    mcp__it__progress: nothing,
    mcp__it__change: nothing,
    mcp__it__ask: oneOf<unknown>(nothing, Arbitrary.all({ requestedSchema: text })),
    mcp__it__blocks: nothing,
    mcp__it__structured: nothing,
    mcp__it__person: nothing,
    mcp__it__drop: nothing,
    mcp__it__look: nothing,
    mcp__it__long: nothing
  },
  persons: ["mcp__it__person"],
  hangs: (tool) => tool === "mcp__it__hang",
  live: true,
  runs: 120
})

let called = 0

/** A server within this process that answers what it is told to, whatever that is. */
const told = Effect.gen(function*() {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: "laws", version: "1.0.0" }, { capabilities: {} })
  const answer = (message: JSONRPCRequest): unknown => {
    if (message.method === "initialize") {
      return {
        result: {
          protocolVersion: message.params?.["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "told", version: "1" }
        }
      }
    }
    called++
    return Object(message.params?.["arguments"]).answer
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has this one place for a listener
  theirs.onmessage = (message) => {
    if (isJSONRPCRequest(message)) void theirs.send(framed(message.id, answer(message)))
  }
  yield* Effect.acquireRelease(
    Effect.promise(() => Promise.all([theirs.start(), client.connect(ours)])),
    () => Effect.promise(() => client.close())
  )
  const connection: Connection = {
    client,
    closed: Effect.never,
    why: () => ({ reason: undefined, stderr: undefined }),
    leftOut: () => []
  }
  const approvals = yield* McpApprovals
  const rules = yield* RuleSources
  const tool = (name: string, annotations: { readonly readOnlyHint?: boolean }) =>
    mcpTool({
      name: `mcp__told__${name}`,
      server: "told",
      tool: { name, description: "Answers what it is told to", inputSchema: { type: "object" }, annotations },
      key: name,
      fingerprint: "1",
      maxResultSizeChars: 300,
      timeoutMillis: 60_000,
      approvals,
      rules,
      call: (input, context) => callTool(connection, { server: "told", tool: name, input, idleMillis: 60_000 }, context)
    })
  return [tool("safe", { readOnlyHint: true }), tool("alone", {})]
}).pipe(Effect.provide(Layer.mergeAll(McpApprovalsLayers.layerMemory, RuleSourcesLayers.layerMemory())))

/** What a server sends was made by no compiler. */
const framed = (id: JSONRPCRequest["id"], answer: unknown): JSONRPCMessage =>
  ({ jsonrpc: "2.0", id, ...Object(answer) }) as JSONRPCMessage

const anything = Arbitrary.schema(Schema.Json)
const block = Arbitrary.all({
  type: pick("text", "image", "audio", "resource", "resource_link", "none"),
  text,
  data: pick("AAAA", "no base64", ""),
  mimeType: pick("image/png", "image/tiff", "text/plain", ""),
  uri: pick("file:///a", "no address"),
  name: text,
  resource: Arbitrary.all({ uri: pick("file:///a"), text, mimeType: pick("text/plain", "") })
})
const result = Arbitrary.all({
  content: Arbitrary.array(block, { maxLength: 3 }),
  isError: mostly<unknown>(Arbitrary.Constant(false), oneOf<unknown>(Arbitrary.Constant(true), anything))
})
const answers = Arbitrary.map(
  oneOf<unknown>(
    Arbitrary.all({ result }),
    Arbitrary.all({ result: Arbitrary.all({ content: Arbitrary.all({}), structuredContent: anything }) }),
    Arbitrary.all({ result: anything }),
    Arbitrary.all({ error: Arbitrary.all({ code: Arbitrary.schema(Schema.Int), message: text }) })
  ),
  (answer) => ({ answer })
)

pipelineLaws({
  name: "the tools of a server that answers anything",
  layer: Layer.unwrap(Effect.map(told, (tools) =>
    Layer.mergeAll(
      Layer.succeed(ToolRegistry, {
        all: Effect.succeed(tools),
        find: (name) =>
          Effect.sync(() => {
            const tool = tools.find((one) => one.name === name)
            return tool && { tool, by: "name" }
          })
      }),
      PathResolverLayers.layerVirtual({ "/repo": "dir" }),
      Layer.succeed(Outside, {
        context,
        begin: Effect.void,
        look: Effect.sync(() => String(called)),
        leftovers: Effect.succeed([])
      })
    ))),
  inputs: { mcp__told__safe: answers, mcp__told__alone: answers },
  // What is no answer at all leaves the call unanswered.
  hangs: (_, input) => !isJSONRPCResponse(framed(1, Object(input).answer)),
  live: true,
  runs: 500
})
