/** How others run a call of a tool that does nothing, from what asks for it to its answer. */
import { AIMessage } from "@langchain/core/messages"
import { tool as langchainTool } from "@langchain/core/tools"
import { ToolNode } from "@langchain/langgraph/prebuilt"
import { Agent, type Model, type ModelResponse, Runner, tool as openaiTool } from "@openai/agents"
import { generateText, stepCountIs, tool as aiTool } from "ai"
import { MockLanguageModelV4 } from "ai/test"
import { z } from "zod"
import type { Task } from "../alternate.ts"
import type { Callers } from "../peers.ts"

const toolNode = (): Task => {
  const nothing = langchainTool(() => "", { name: "nothing", description: "does nothing", schema: z.object({}) })
  const node = new ToolNode([nothing])
  const message = new AIMessage({
    content: "",
    tool_calls: [{ name: "nothing", args: {}, id: "1", type: "tool_call" }]
  })
  return () => node.invoke({ messages: [message] })
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

/** A conversation of `calls` calls in one answer, and an answer in text. */
const aiSdk = (calls: number, approval: boolean): Task => {
  const nothing = aiTool({
    description: "does nothing",
    inputSchema: z.object({}),
    execute: () => "",
    ...(approval ? { needsApproval: () => false } : {})
  })
  const uses = Array.from({ length: calls }, (_, at) => ({
    type: "tool-call" as const,
    toolCallId: String(at),
    toolName: "nothing",
    input: "{}"
  }))
  return () => {
    let turn = 0
    const model = new MockLanguageModelV4({
      doGenerate: async () =>
        turn++ === 0
          ? { finishReason: { unified: "tool-calls", raw: undefined }, usage, content: uses, warnings: [] }
          : {
            finishReason: { unified: "stop", raw: undefined },
            usage,
            content: [{ type: "text", text: "done" }],
            warnings: []
          }
    })
    return generateText({ model, prompt: "go", tools: { nothing }, stopWhen: stepCountIs(2) })
  }
}

const openAi = (calls: number): Task => {
  const nothing = openaiTool({
    name: "nothing",
    description: "does nothing",
    parameters: z.object({}),
    execute: async () => ""
  })
  const runner = new Runner({ tracingDisabled: true })
  return () => {
    let turn = 0
    const model = {
      getResponse: async () => {
        const output = turn++ === 0
          ? Array.from({ length: calls }, (_, at) => ({
            type: "function_call",
            callId: String(at),
            name: "nothing",
            arguments: "{}",
            status: "completed"
          }))
          : [{
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: "done" }]
          }]
        return {
          output,
          usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2, requests: 1 }
        } as unknown as ModelResponse
      }
    } as unknown as Model
    return runner.run(new Agent({ name: "agent", model, tools: [nothing] }), "go")
  }
}

export const tasks: Callers["tasks"] = {
  "langgraph ToolNode": toolNode(),
  "ai generateText, 11 calls": aiSdk(11, false),
  "ai generateText, 1 call": aiSdk(1, false),
  "ai generateText that approves, 11 calls": aiSdk(11, true),
  "ai generateText that approves, 1 call": aiSdk(1, true),
  "openai agents, 11 calls": openAi(11),
  "openai agents, 1 call": openAi(1)
}

export const marginal: Callers["marginal"] = {
  "ai generateText, one more call": { many: "ai generateText, 11 calls", one: "ai generateText, 1 call", more: 10 },
  "ai generateText that approves, one more call": {
    many: "ai generateText that approves, 11 calls",
    one: "ai generateText that approves, 1 call",
    more: 10
  },
  "openai agents, one more call": { many: "openai agents, 11 calls", one: "openai agents, 1 call", more: 10 }
}
