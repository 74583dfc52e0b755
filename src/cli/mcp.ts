/**
 * `toolgate mcp`: the MCP servers there are.
 *
 * @since 0.1.0
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
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

const login = Command.make(
  "login",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The server")),
    browser: Flag.Boolean("browser").pipe(
      Flag.withDescription("Open the browser; without it the address is printed alone"),
      Flag.withDefault(true)
    )
  },
  Effect.fnUntraced(function*(given) {
    const { logIn } = yield* Effect.promise(() => import("./mcp/logIn.ts"))
    yield* logIn(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Signs you in to an MCP server, in your browser. What comes of it is kept for you alone and renewed by itself, until " +
      "you sign out or the server ends it."
  ),
  Command.withShortDescription("Sign in to an MCP server"),
  Command.withExamples([
    { command: "toolgate mcp login notes" },
    { command: "toolgate mcp login notes --no-browser", description: "Print the address alone" }
  ])
)

const logout = Command.make(
  "logout",
  { name: Argument.String("name").pipe(Argument.withDescription("The server")) },
  Effect.fnUntraced(function*({ name }) {
    const { logOut } = yield* Effect.promise(() => import("./mcp/logOut.ts"))
    yield* logOut(name, yield* root)
  })
).pipe(
  Command.withDescription(
    "Signs you out of an MCP server: its tokens are taken back where the server can, and deleted in any case."
  ),
  Command.withShortDescription("Sign out of an MCP server"),
  Command.withExamples([{ command: "toolgate mcp logout notes" }])
)

/**
 * Command that is about MCP servers.
 *
 * @category commands
 * @since 0.1.0
 */
export const mcp = Command.make("mcp").pipe(
  Command.withSubcommands([list, get, login, logout]),
  Command.withDescription(
    "Lists and shows MCP servers, programs and addresses that have tools of their own, and signs in to them."
  ),
  Command.withShortDescription("List MCP servers, and sign in to them")
)
