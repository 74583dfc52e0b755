/**
 * `toolgate mcp`: the MCP servers there are.
 *
 * @since 0.1.0
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function*() {
    const { listServers } = yield* Effect.promise(() => import("./mcp/listServers.ts"))
    yield* listServers(yield* root)
  })
).pipe(
  Command.withDescription(
    "Connects to every MCP server that may be used and says how each is doing. Servers are looked for in `--mcp-config`, " +
      "`~/.claude.json`, `.mcp.json` of the working directory, `mcpServers` of settings, and `managed-mcp.json` beside " +
      "managed settings."
  ),
  Command.withShortDescription("List the MCP servers and how they are doing"),
  Command.withExamples([{ command: "toolgate mcp list" }])
)

const get = Command.make(
  "get",
  { name: Argument.String("name").pipe(Argument.withDescription("The server")) },
  Effect.fnUntraced(function*({ name }) {
    const { showServer } = yield* Effect.promise(() => import("./mcp/showServer.ts"))
    yield* showServer(name, yield* root)
  })
).pipe(
  Command.withDescription(
    "Connects to one MCP server and shows its configuration, secrets starred out, and its tools."
  ),
  Command.withShortDescription("Show one MCP server"),
  Command.withExamples([{ command: "toolgate mcp get github" }])
)

/**
 * Command that is about MCP servers.
 *
 * @category commands
 * @since 0.1.0
 */
export const mcp = Command.make("mcp").pipe(
  Command.withSubcommands([list, get]),
  Command.withDescription("Lists and shows MCP servers: programs and addresses that have tools of their own."),
  Command.withShortDescription("List and show MCP servers")
)
