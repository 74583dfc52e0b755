/**
 * A conversation without a network: `toolgate chat` with a model on this machine, which wants two things at once. One
 * gives more than a model should read, and is kept on disk; the other is denied.
 */
import { spawn } from "node:child_process"
import { createServer } from "node:http"

const text = (text: string) => ({ start: { type: "text", text: "" }, delta: { type: "text_delta", text } })
const call = (id: string, name: string, input: unknown) => ({
  start: { type: "tool_use", id, name, input: {} },
  delta: { type: "input_json_delta", partial_json: JSON.stringify(input) }
})

/** A message as the Messages API streams it. */
const message = (stop_reason: string, blocks: ReadonlyArray<ReturnType<typeof call | typeof text>>): string =>
  [
    {
      type: "message_start",
      message: { role: "assistant", content: [], usage: { input_tokens: 900, output_tokens: 1 } }
    },
    ...blocks.flatMap(({ delta, start }, index) => [
      { type: "content_block_start", index, content_block: start },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index }
    ]),
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 80 } },
    { type: "message_stop" }
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")

const answers = [
  message("tool_use", [
    text("I read the lock file first, and publish."),
    call("toolu_1", "Bash", { command: "cat package-lock.json" }),
    call("toolu_2", "Bash", { command: "npm publish" })
  ]),
  message("end_turn", [text("The lock file is long, I read its beginning. I may not publish: please do it yourself.")])
]

const server = createServer((request, response) =>
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(answers.shift() ?? "")
  })
)
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const args = ["chat", "Check and publish", "--model", "local", "--base-url", `http://127.0.0.1:${port}`]
  const rules = ["--disallowed-tools", "Bash(npm publish *)"]
  spawn(process.execPath, ["src/cli/main.ts", ...args, ...rules, ...process.argv.slice(2)], { stdio: "inherit" })
    .on("exit", (code) => {
      process.exitCode = code ?? 1
      server.close()
    })
})
