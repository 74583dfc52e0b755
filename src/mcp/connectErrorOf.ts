/**
 * Says in one sentence why a server could not be connected to.
 *
 * @since 0.1.0
 */
import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError
} from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import { McpAuthRequired } from "../errors/ExecuteError.ts"
import { type McpConnectError, McpConnectFailed } from "./McpConnectError.ts"
import { authorizesItself, isStdio, type ServerConfig } from "./ServerConfig.ts"

/**
 * Turns what the client failed with into an error of ours. Nothing of an
 * address but its host is repeated: the rest may be a secret.
 *
 * @category constructors
 * @since 0.1.0
 */
export const connectErrorOf = (
  { config, name }: { readonly name: string; readonly config: ServerConfig },
  { reason, stderr }: { readonly reason?: string | undefined; readonly stderr?: string | undefined },
  cause: unknown
): McpConnectError =>
  wantsSignIn(cause)
    ? new McpAuthRequired({
      server: name,
      how: !isStdio(config) && authorizesItself(config)
        ? "the `Authorization` of its `headers` is refused, change it in its configuration"
        : howToSignIn(name)
    })
    : new McpConnectFailed({
      server: name,
      reason: reason ?? reasonOf(config, cause),
      cause,
      ...(stderr === undefined ? {} : { stderr })
    })

/**
 * What a person does to sign in.
 *
 * @category formatting
 * @since 0.1.0
 */
export const howToSignIn = (server: string): string => `run \`toolgate mcp login ${server}\`, then call again`

/**
 * Whether a failure means that a person has to sign in.
 *
 * @category guards
 * @since 0.1.0
 */
export const wantsSignIn = (cause: unknown): boolean =>
  cause instanceof UnauthorizedError || cause instanceof InsufficientScopeError || statusOf(cause) === 401

/**
 * The status of HTTP that a failure is about.
 *
 * @category getters
 * @since 0.1.0
 */
export const statusOf = (cause: unknown): number | undefined => {
  if (cause instanceof SdkHttpError) return cause.status
  return cause instanceof SseError ? cause.code : undefined
}

const reasonOf = (config: ServerConfig, cause: unknown): string => {
  const code = codeOf(cause)
  if (isStdio(config)) {
    if (code === "ENOENT" && /\s/.test(config.command)) {
      return "its `command` is no program: what follows the first space belongs into `args`"
    }
    if (code === "ENOENT") return `there is no program \`${config.command}\`, or no folder to start it in`
    // What the runtime says of it repeats the text.
    if (Predicate.hasProperty(cause, "code") && cause.code === "ERR_INVALID_ARG_VALUE") {
      return "its command, an argument or a variable holds a NUL character"
    }
    if (code === "EACCES") return `\`${config.command}\` may not be run`
  } else if (code !== undefined && /^E[A-Z]+$/.test(code)) {
    return `nothing answers at \`${shown(config.url)}\` (${code})`
  }
  const status = statusOf(cause)
  if (status !== undefined) return `it answered with the status ${status}`
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout) return "it did not answer in time"
  return firstLine(deepest(cause))
}

/** What a chain of causes began with says most. */
const deepest = (cause: unknown): string => {
  let at = cause
  for (let depth = 0; depth < 5 && Predicate.hasProperty(at, "cause") && at.cause instanceof Error; depth++) {
    at = at.cause
  }
  return at instanceof Error && at.message !== "" ? at.message : "it did not say why"
}

/**
 * The system's own code for a failure, which may lie some causes deep, as for
 * `fetch`.
 *
 * @category getters
 * @since 0.1.0
 */
export const codeOf = (cause: unknown): string | undefined => {
  let at = cause
  for (let depth = 0; depth < 5; depth++) {
    if (Predicate.hasProperty(at, "code") && typeof at.code === "string" && /^E[A-Z]+$/.test(at.code)) return at.code
    if (!Predicate.hasProperty(at, "cause")) return undefined
    at = at.cause
  }
  return undefined
}

const shown = (url: string): string => {
  const at = URL.parse(url)
  return at === null ? "its address" : `${at.protocol}//${at.host}`
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? text
