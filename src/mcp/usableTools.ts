/**
 * Keeps one tool that is none from costing a server all the others.
 *
 * @since 0.1.0
 */
import { isJSONRPCRequest, isSpecType, type Transport } from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"

/**
 * Leaves out of a server's lists of tools what the client would refuse a whole
 * list for. Gives what was left out of the last one, and why.
 *
 * @category constructors
 * @since 0.1.0
 */
export const usableTools = (transport: Transport): () => ReadonlyArray<string> => {
  const { onmessage } = transport
  const send = transport.send.bind(transport)
  const asked = new Set<string | number>()
  let leftOut: Array<string> = []
  transport.send = (message, options) => {
    if (isJSONRPCRequest(message) && message.method === "tools/list") {
      asked.add(message.id)
      // A list may come in several pages.
      if (message.params?.["cursor"] === undefined) leftOut = []
    }
    return send(message, options)
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has this one place for a listener
  transport.onmessage = (message, extra) => {
    if (!("id" in message) || message.id === undefined || "method" in message || !asked.delete(message.id)) {
      return onmessage?.(message, extra)
    }
    if (!("result" in message) || !Array.isArray(message.result["tools"])) return onmessage?.(message, extra)
    const tools: ReadonlyArray<unknown> = message.result["tools"]
    const usable = tools.filter(isUsable)
    leftOut.push(
      ...tools.flatMap((tool, at) => isUsable(tool) ? [] : [`${nameOf(tool, at)} is left out, since ${whyNot(tool)}`])
    )
    onmessage?.({ ...message, result: { ...message.result, tools: usable } }, extra)
  }
  return () => leftOut
}

const isUsable = (tool: unknown): boolean => isSpecType.Tool(tool) && tool.name !== ""

const nameOf = (tool: unknown, at: number): string =>
  Predicate.hasProperty(tool, "name") && Predicate.isString(tool.name) && tool.name !== ""
    ? `\`${tool.name}\``
    : `the tool with the number ${at + 1}`

const whyNot = (tool: unknown): string => {
  if (!Predicate.hasProperty(tool, "name") || !Predicate.isString(tool.name) || tool.name === "") {
    return "it has no name"
  }
  return Predicate.hasProperty(tool, "inputSchema") && Predicate.hasProperty(tool.inputSchema, "type") &&
      tool.inputSchema.type === "object"
    ? "what the server says of it can't be read"
    : "its `inputSchema` is not one of an object"
}
