/**
 * Calls of every built-in tool, and of a few that come from elsewhere.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import { printShell } from "../shell/printShell.ts"
import { simpleCommands, spelled } from "../shell/Shell.ts"
import { oneOf, pick } from "./oneOf.ts"
import { shells, simples } from "./shells.ts"

/**
 * A call, and rules that are about it or about a part of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface DrawnCall {
  readonly tool: string
  readonly input: { readonly [key: string]: unknown }
  readonly about: readonly [string, ...ReadonlyArray<string>]
}

/**
 * Paths as a model may write them, inside the working directory and outside.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const paths: Arbitrary.Arbitrary<string> = pick(
  "/srv/repo/src/a.ts",
  "/srv/repo/.env",
  "/srv/repo/secrets/key",
  "/srv/repo/a.txt",
  "/srv/repo/linked/key",
  "/srv/repo/link.txt",
  "/home/ann/.ssh/id",
  "/etc/passwd",
  "/tmp/x",
  "src/a.ts",
  "./secrets/../a.txt",
  "~/.ssh/id",
  "//etc//passwd"
)

/**
 * Makes a call of Bash; the rules are about the programs that it starts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const bashCall = (command: string, parts: ReadonlyArray<string> = []): DrawnCall => ({
  tool: "Bash",
  input: { command },
  about: [
    "Bash",
    ...parts.flatMap((text) => {
      const [program] = text.split(" ", 1)
      const file = text.split(" ").find((word) => /^[./\w]*[./][./\w]*$/.test(word))
      return [
        `Bash(${escaped(text)})`,
        `Bash(${program} *)`,
        `Bash('${program}' *)`,
        ...(file === undefined ? [] : [`Read(${ruleFor(file)})`, `Edit(${ruleFor(file)})`])
      ]
    })
  ]
})

/** What stands for itself in a rule. */
const escaped = (text: string): string => text.replace(/[\\*()]/g, "\\$&")

/**
 * Calls of Bash with lines of every kind.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const bashCalls: Arbitrary.Arbitrary<DrawnCall> = Arbitrary.map(
  oneOf(shells, simples),
  (shell) => bashCall(printShell(shell), simpleCommands(shell).map(spelled))
)

const fileCall = (tool: string, rest: { readonly [key: string]: unknown }): Arbitrary.Arbitrary<DrawnCall> =>
  Arbitrary.map(paths, (path) => ({
    tool,
    input: { file_path: path, ...rest },
    about: [tool, `${tool === "Write" ? "Edit" : tool}(${ruleFor(path)})`]
  }))

const searchCall = (tool: string): Arbitrary.Arbitrary<DrawnCall> =>
  Arbitrary.map(
    Arbitrary.all({ pattern: pick("a", "**/*.ts", "key"), path: pick("", "src", "/srv/repo/secrets", "/etc", "..") }),
    ({ path, pattern }) => ({
      tool,
      input: { pattern, ...(path === "" ? {} : { path }) },
      about: path === "" ? [tool] : [tool, `Read(${ruleFor(path)}/**)`]
    })
  )

const ruleFor = (path: string): string => path.startsWith("/") ? `//${path.replace(/^\/+/, "")}` : path

/**
 * Calls of every tool.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const calls: Arbitrary.Arbitrary<DrawnCall> = oneOf(
  bashCalls,
  bashCalls,
  fileCall("Read", {}),
  fileCall("Write", { content: "x" }),
  fileCall("Edit", { old_string: "a", new_string: "b" }),
  oneOf(
    Arbitrary.map(paths, (path): DrawnCall => ({
      tool: "NotebookEdit",
      input: { notebook_path: `${path}.ipynb`, cell_id: "a", new_source: "x" },
      about: ["NotebookEdit", `Edit(${ruleFor(`${path}.ipynb`)})`]
    })),
    Arbitrary.map(pick("TaskOutput", "TaskStop"), (tool): DrawnCall => ({
      tool,
      input: { task_id: "0123abcd" },
      about: [tool]
    })),
    Arbitrary.map(pick("pending", "completed"), (status): DrawnCall => ({
      tool: "TodoWrite",
      input: { todos: [{ content: "Build", status, activeForm: "Building" }] },
      about: ["TodoWrite"]
    }))
  ),
  oneOf(searchCall("Glob"), searchCall("Grep")),
  oneOf(
    Arbitrary.map(pick("https://example.com/a", "https://docs.example.com", "http://other.test"), (url): DrawnCall => ({
      tool: "WebFetch",
      input: { url, prompt: "what does it say" },
      about: ["WebFetch", `WebFetch(domain:${new URL(url).hostname})`]
    })),
    Arbitrary.map(pick("explore", "review"), (name): DrawnCall => ({
      tool: "Agent",
      input: { subagent_type: name, prompt: "look", description: "look" },
      about: ["Agent", `Agent(${name})`]
    })),
    Arbitrary.map(pick("mcp__notes__list", "mcp__notes__drop"), (tool): DrawnCall => ({
      tool,
      input: {},
      about: [tool, "mcp__notes"]
    }))
  )
)
