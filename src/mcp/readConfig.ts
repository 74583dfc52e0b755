/**
 * Reads the configuration of one server.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { RemoteServer, type ServerConfig, StdioServer } from "./ServerConfig.ts"

/**
 * Reads what a file says of a server, or says in one sentence what is wrong with
 * it. Members that nobody knows are left alone: other programs have their own.
 *
 * @category reading
 * @since 0.1.0
 */
export const readConfig = (config: unknown): Result.Result<ServerConfig, string> => {
  if (!Predicate.isObject(config)) {
    return Result.fail("it is no object: write `{ \"command\": \"…\" }` or `{ \"url\": \"…\" }`")
  }
  const hasCommand = config["command"] !== undefined
  const hasUrl = config["url"] !== undefined
  if (hasCommand && hasUrl) return Result.fail("it has both `command` and `url`: remove one of them")
  if (!hasCommand && !hasUrl) return Result.fail("it has neither `command` nor `url`: add one of them")
  const type = config["type"]
  if (hasCommand && type !== undefined && type !== "stdio") {
    return Result.fail(`its \`type\` is ${shown(type)}, which has a \`url\` and no \`command\``)
  }
  if (hasUrl && type === "stdio") return Result.fail("its `type` is `stdio`, which has a `command` and no `url`")
  const read: Result.Result<ServerConfig, Schema.SchemaError> = hasCommand ? decodeStdio(config) : decodeRemote(config)
  return Result.mapError(read, (error) => {
    const [issue] = SchemaIssue.makeFormatterStandardSchemaV1()(error.issue).issues
    const path = (issue?.path ?? []).map((step) => String(Predicate.isObject(step) ? step["key"] : step)).join(".")
    return `\`${path}\` is wrong: ${issue?.message ?? "it can't be read"}`.replace(/: Expected /, ": it should be ")
  })
}

const decodeStdio = Schema.decodeUnknownResult(StdioServer)

const decodeRemote = Schema.decodeUnknownResult(RemoteServer)

const shown = (value: unknown): string => typeof value === "string" ? `\`${value}\`` : "no text"
