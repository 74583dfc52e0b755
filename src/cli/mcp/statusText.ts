/**
 * How an MCP server is doing, in words.
 *
 * @since 0.1.0
 */
import type { McpServerStatus } from "../../services/McpServers.ts"

/**
 * Says how a server is doing: one word for a program, and why where there is
 * something to say.
 *
 * @category formatting
 * @since 0.1.0
 */
export const statusText = (
  { entry, state }: McpServerStatus
): { readonly status: string; readonly why: string | undefined } => {
  switch (state._tag) {
    case "Refused":
      return { status: entry.refused?.because ?? "forbidden", why: entry.refused?.why }
    case "Waiting":
      return { status: "waiting", why: undefined }
    case "Connecting":
      return { status: "connecting", why: undefined }
    case "Connected":
      return { status: "connected", why: undefined }
    case "NeedsSignIn":
      return { status: "needs sign-in", why: state.how }
    case "Failed":
      return { status: "failed", why: state.reason }
  }
}
