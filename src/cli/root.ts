/**
 * The root of the command line, with the flags that every command knows. They
 * may stand before or behind the name of a command.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type * as Effect from "effect/Effect"
import { folderFlag } from "./folderFlag.ts"

/**
 * Command that holds the others together. Commands read the shared flags by
 * yielding it.
 *
 * @category commands
 * @since 0.1.0
 */
export const root = Command.make("toolgate").pipe(
  Command.withSharedFlags({
    cwd: folderFlag("cwd").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("Directory that the call works in (where you are)"),
      Flag.optional
    ),
    settings: Flag.String("settings").pipe(
      Flag.withMetavar("FILE|JSON"),
      Flag.withDescription("More settings: a file, or JSON itself"),
      Flag.optional
    ),
    allowedTools: Flag.String("allowed-tools").pipe(
      Flag.withAlias("allowedTools"),
      Flag.withMetavar("RULES"),
      Flag.withDescription("Rules that allow, such as \"Read Bash(git log *)\"; may be repeated"),
      Flag.atLeast(0)
    ),
    disallowedTools: Flag.String("disallowed-tools").pipe(
      Flag.withAlias("disallowedTools"),
      Flag.withMetavar("RULES"),
      Flag.withDescription("Rules that deny; may be repeated"),
      Flag.atLeast(0)
    ),
    mcpConfig: Flag.String("mcp-config").pipe(
      Flag.withMetavar("FILE|JSON"),
      Flag.withDescription("More MCP servers: a file, or JSON itself; may be repeated"),
      Flag.atLeast(0)
    ),
    command: Flag.String("command").pipe(
      Flag.withMetavar("FILE.md"),
      Flag.withDescription("Command file whose allowed-tools and disallowed-tools count"),
      Flag.optional
    ),
    mode: Flag.ChoiceWithValue("permission-mode", [
      ["default", "default"],
      ["manual", "default"],
      ["acceptEdits", "acceptEdits"],
      ["plan", "plan"],
      ["auto", "auto"],
      ["dontAsk", "dontAsk"],
      ["bypassPermissions", "bypassPermissions"]
    ]).pipe(
      Flag.withMetavar("MODE"),
      Flag.withDescription("What happens where no rule decides"),
      Flag.optional
    ),
    addDir: folderFlag("add-dir").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("A working directory beside --cwd; may be repeated"),
      Flag.atLeast(0)
    ),
    session: Flag.String("session").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("Session whose grants and read files count (the directory's own)"),
      Flag.optional
    ),
    output: Flag.Literals("output", ["text", "json", "stream-json"]).pipe(
      Flag.withMetavar("FORM"),
      Flag.withDescription("Form of what is written"),
      Flag.withDefault("text")
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withoutNegation,
      Flag.withDescription("The same as --output json"),
      Flag.withDefault(false)
    ),
    ask: Flag.Literals("ask", ["prompt", "deny"]).pipe(
      Flag.withMetavar("HOW"),
      Flag.withDescription("Whether you are asked at the terminal, or asking counts as denied"),
      Flag.withDefault("prompt")
    )
  }),
  Command.withDescription(
    "Runs a language model's tool calls the way a careful host does: rules, hooks and you decide, then the tool runs."
  ),
  Command.withExamples([
    { command: "toolgate call Bash '{\"command\":\"ls src\"}'", description: "Run one call" },
    {
      command: "toolgate check Bash '{\"command\":\"npm publish\"}'",
      description: "See what would be decided, and why"
    },
    { command: "toolgate --completions bash", description: "Completions for your shell" }
  ])
)

/**
 * The shared flags, as commands get them.
 *
 * @category models
 * @since 0.1.0
 */
export type Shared = Effect.Success<typeof root>
