/**
 * Writes the JSON Schemas of the command line's JSON output to `schema/`.
 */
import * as Schema from "effect/Schema"
import { writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { HookReply } from "../src/cli/HookRequest.ts"
import * as Output from "../src/cli/Output.ts"
import * as Serving from "../src/cli/Serving.ts"

const outputs: Record<string, { readonly title: string; readonly schema: Schema.Top }> = {
  call: { title: "What `toolgate call --output json` writes", schema: Output.CallOutput },
  stream: { title: "One line of `toolgate call --output stream-json`", schema: Output.StreamLine },
  chat: { title: "What `toolgate chat --output json` writes", schema: Output.ChatOutput },
  "chat-stream": { title: "One line of `toolgate chat --output stream-json`", schema: Output.ChatLine },
  check: { title: "What `toolgate check --output json` writes", schema: Output.CheckOutput },
  explain: { title: "What `toolgate explain --output json` writes", schema: Output.ExplainOutput },
  lint: { title: "What `toolgate lint --output json` writes", schema: Output.LintOutput },
  log: { title: "One line of `toolgate log --output json`, and of the audit log itself", schema: Output.LogLine },
  tools: { title: "What `toolgate tools --json` writes", schema: Output.ToolsOutput },
  tasks: { title: "What `toolgate tasks --output json` writes", schema: Output.TasksOutput },
  "mcp-list": { title: "What `toolgate mcp list --output json` writes", schema: Output.McpListOutput },
  "mcp-get": { title: "What `toolgate mcp get --output json` writes", schema: Output.McpGetOutput },
  "mcp-login": { title: "What `toolgate mcp login --output json` writes", schema: Output.McpLoginOutput },
  "mcp-logout": { title: "What `toolgate mcp logout --output json` writes", schema: Output.McpLogoutOutput },
  rules: { title: "What `toolgate rules --output json` writes", schema: Output.RulesOutput },
  hook: { title: "What `toolgate hook` writes, as a PreToolUse hook does", schema: HookReply },
  "serve-request": { title: "A line that `toolgate serve` reads", schema: Serving.ServeRequest },
  "serve-reply": { title: "A line that `toolgate serve` writes", schema: Serving.ServeReply },
  trust: { title: "What `toolgate trust --output json` writes", schema: Output.TrustOutput }
}

/** The text of each file, by its name. */
export const files = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, { schema, title }]) => {
      const document = Schema.toJsonSchemaDocument(schema)
      const text = JSON.stringify(
        {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          title,
          ...document.schema,
          ...(Object.keys(document.definitions).length === 0 ? {} : { $defs: document.definitions })
        },
        null,
        2
      )
      return [`${name}.json`, `${text}\n`]
    })
  )

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [name, text] of Object.entries(files())) writeFileSync(`schema/${name}`, text)
}
