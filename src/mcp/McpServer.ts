/**
 * One server over its whole life: connected when something is wanted of it, and
 * again after it died.
 *
 * @since 0.1.0
 */
import type { ElicitRequestParams, ElicitResult, Tool as ServerTool } from "@modelcontextprotocol/client"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { McpEntry } from "../domain/McpEntry.ts"
import { mcpToolName } from "../domain/mcpNames.ts"
import type { SignedIn } from "../domain/McpSignIn.ts"
import type { Output, Tool, ToolContext } from "../domain/Tool.ts"
import { type ExecuteError, type McpAuthRequired, McpCallFailed } from "../errors/ExecuteError.ts"
import type { StoreFailed } from "../errors/SessionError.ts"
import { SignInFailed } from "../errors/SignInFailed.ts"
import type { Approver } from "../services/Approver.ts"
import type { McpApprovals } from "../services/McpApprovals.ts"
import type { McpServerStatus, Visit } from "../services/McpServers.ts"
import type { RuleSources } from "../services/RuleSources.ts"
import { absentTool } from "./absentTool.ts"
import { brokenText, isBroken } from "./answerBroken.ts"
import { callTool } from "./callTool.ts"
import { connect, type Connection } from "./connect.ts"
import { statusOf } from "./connectErrorOf.ts"
import { elicit } from "./elicit.ts"
import { approvalKey, fingerprintOf } from "./fingerprintOf.ts"
import { type McpConnectError, McpConnectFailed } from "./McpConnectError.ts"
import { mcpTool } from "./mcpTool.ts"
import type { Authorization } from "./oauth/Authorization.ts"
import { offering } from "./oauth/offering.ts"
import { isStdio, type ServerConfig } from "./ServerConfig.ts"
import { whyNoAnswer } from "./whyNoAnswer.ts"

/**
 * How patient servers are treated, and how much they may say.
 *
 * **Details**
 *
 * - `connectMillis`: how long connecting and listing tools may take each.
 * - `callMillis`: how long a call may take, where the server's configuration
 *   says nothing.
 * - `maxResultSizeChars`: how long a result may be that is handed over whole.
 *
 * @category options
 * @since 0.1.0
 */
export interface McpLimits {
  readonly connectMillis: number
  readonly callMillis: number
  readonly maxResultSizeChars: number
}

/**
 * What a server needs of the world.
 *
 * @category options
 * @since 0.1.0
 */
export interface McpServerOptions {
  readonly entry: McpEntry
  readonly config: ServerConfig
  readonly cwd: string
  readonly environment: { readonly [name: string]: string | undefined }
  readonly limits: McpLimits
  readonly approvals: McpApprovals["Service"]
  readonly approver: Approver["Service"]
  readonly rules: RuleSources["Service"]
  readonly authorization: Authorization | undefined
}

/**
 * A server that may be used.
 *
 * **Details**
 *
 * - `ready`: connects if need be, and waits until it is known how that went.
 * - `known`: the tools as far as they are known, without waiting.
 * - `find`: the tool of a name; connects if need be. Of a server that can't be
 *   reached it is one that says why, or that signs in first.
 * - `asleep`: whether nothing is wanted of it so far, or since it ended.
 * - `peek`: a tool of one that is asleep, which connects no sooner than the tool runs.
 * - `signIn`: takes a person through a sign-in where the server wants one.
 *
 * @category models
 * @since 0.1.0
 */
export interface McpServer {
  readonly state: Effect.Effect<McpServerStatus["state"]>
  readonly ready: Effect.Effect<void>
  readonly known: Effect.Effect<ReadonlyArray<Tool>>
  readonly find: (name: string) => Effect.Effect<Tool | undefined>
  readonly asleep: () => boolean
  readonly peek: (name: string) => Effect.Effect<Tool>
  readonly signIn: (visit: Visit) => Effect.Effect<SignedIn, SignInFailed | StoreFailed>
}

/**
 * Makes a server, and connects to nothing yet. What it connects to later is
 * closed with the scope.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  options: McpServerOptions
): Effect.fn.Return<McpServer, never, Scope.Scope> {
  const { approvals, approver, authorization, config, entry, limits, rules } = options
  const scope = yield* Effect.scope
  const oneList = Semaphore.makeUnsafe(1)
  const offer = offering(entry.name, authorization, approver)

  let link: Link | undefined
  let listed: Listed = { tools: new Map(), problems: [] }
  let failure: McpConnectError | undefined
  let deaths = 0
  let notBefore = 0
  const running: Array<{ readonly tool: string; readonly context: ToolContext }> = []

  const died = Effect.map(Clock.currentTimeMillis, (now) => {
    deaths++
    notBefore = now + backOff(deaths)
  })

  const answer = (params: ElicitRequestParams): Effect.Effect<ElicitResult> => {
    const call = running.at(-1)
    return call === undefined
      ? Effect.succeed({ action: "decline" })
      : elicit(
        approver,
        { server: entry.name, tool: call.tool, context: call.context.call, id: call.context.id },
        params
      )
  }

  const list = Effect.fnUntraced(function*(connection: Connection) {
    const { tools } = yield* Effect.tryPromise({
      try: (signal) =>
        connection.client.listTools(undefined, { signal, timeout: limits.connectMillis, cacheMode: "refresh" }),
      catch: (cause) =>
        new McpConnectFailed({
          server: entry.name,
          reason: `its tools can't be listed: ${isBroken(cause) ? brokenText(cause) : whyNoAnswer(cause)}`,
          cause
        })
    })
    listed = toolsOf(tools, listed, connection.leftOut())
  })

  const open = Effect.fnUntraced(function*(opened: Link): Effect.fn.Return<Connection, McpConnectError> {
    const own = yield* Scope.fork(scope)
    const connecting = Effect.gen(function*() {
      const connection = yield* connect({
        name: entry.name,
        config,
        cwd: options.cwd,
        environment: options.environment,
        connectMillis: limits.connectMillis,
        elicit: answer,
        toolsChanged: Effect.sync(() => {
          opened.stale = true
        }),
        authorization
      })
      yield* list(connection)
      return connection
    })
    const connection = yield* Scope.provide(connecting, own).pipe(
      Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : Scope.close(own, exit))
    )
    // INVARIANT: what ended is forgotten before its scope is closed, so that nobody is handed a dead one meanwhile.
    opened.drop = Effect.suspend(() => {
      if (link !== opened) return Effect.void
      link = undefined
      return Effect.andThen(died, Scope.close(own, Exit.void))
    })
    yield* Effect.forkIn(Effect.andThen(connection.closed, opened.drop), scope)
    return connection
  })

  const live: Effect.Effect<{ readonly connection: Connection; readonly opened: Link }, McpConnectError> = Effect
    .uninterruptibleMask(
      (restore) =>
        Effect.gen(function*() {
          if (scope.state._tag === "Closed") return yield* replaced(entry.name)
          const now = yield* Clock.currentTimeMillis
          if (link === undefined) {
            if (now < notBefore && failure !== undefined) return yield* failure
            if (now < notBefore) {
              const reason = `it ended ${deaths} times in a row, and is started again in ${notBefore - now} ms`
              return yield* new McpConnectFailed({ server: entry.name, reason })
            }
            const opened: Link = { done: Deferred.makeUnsafe(), stale: false, drop: Effect.void }
            link = opened
            const opening = open(opened).pipe(
              Effect.tapError((error) => {
                failure = error
                link = undefined
                // Whoever signs in is not to wait.
                return error._tag === "McpAuthRequired" ? Effect.void : died
              }),
              Effect.tap(() =>
                Effect.sync(() => {
                  failure = undefined
                })
              ),
              Effect.onExit((exit) =>
                Deferred.done(opened.done, Exit.hasInterrupts(exit) ? Exit.fail(replaced(entry.name)) : exit)
              )
            )
            yield* Effect.forkIn(opening, scope)
          }
          const opened = link
          return { connection: yield* restore(Deferred.await(opened.done)), opened }
        })
    )

  /** The connection, with its tools as they are now. One over which they can't be had any more is made anew. */
  const fresh = Effect.gen(function*() {
    const { connection, opened } = yield* live
    const current = yield* oneList.withPermit(Effect.gen(function*() {
      if (!opened.stale) return true
      opened.stale = false
      const exit = yield* Effect.onInterrupt(
        Effect.exit(list(connection)),
        () => Effect.sync(() => opened.stale = true)
      )
      if (Exit.isFailure(exit)) yield* opened.drop
      return Exit.isSuccess(exit)
    }))
    return current ? { connection, opened } : yield* live
  })

  const callOnce = Effect.fnUntraced(function*(
    known: Known,
    input: { readonly [key: string]: unknown },
    context: ToolContext
  ): Effect.fn.Return<Output, ExecuteError> {
    const { connection, opened } = yield* Effect.mapError(fresh, toCallError)
    if (listed.tools.get(known.name)?.fingerprint !== known.fingerprint) {
      const reason = "it changed what it says of this tool while the call was on its way: call again"
      return yield* new McpCallFailed({ server: entry.name, reason })
    }
    // That it can't be noted only means that a person is asked again.
    yield* Effect.ignore(approvals.set(approvalKey(entry, known.name), known.fingerprint))
    const one = { tool: known.name, context }
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => running.push(one)),
      () =>
        callTool(
          connection,
          { server: entry.name, tool: known.tool.name, input, idleMillis: idleMillis(config, limits) },
          context
        ),
      () => Effect.sync(() => running.splice(running.indexOf(one), 1))
    ).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          deaths = 0
        })
      ),
      Effect.tapError((error) =>
        Effect.suspend(() => {
          // Whoever hears that it ended calls again at once, and is not to be handed what ended.
          if (endsConnection(error) || connection.why().reason !== undefined) return opened.drop
          opened.stale ||= error._tag === "McpCallFailed" && isBroken(error.cause)
          return Effect.void
        })
      )
    )
  })

  /** A server that forgot the session has not heard of the call. */
  const call = (...given: Parameters<typeof callOnce>): Effect.Effect<Output, ExecuteError> =>
    Effect.catchIf(callOnce(...given), isForgotten, () => callOnce(...given))

  const toolsOf = (tools: ReadonlyArray<ServerTool>, before: Listed, leftOut: ReadonlyArray<string>): Listed => {
    const found = new Map<string, Known>()
    const problems = [...leftOut]
    for (const tool of tools) {
      const name = mcpToolName(entry.name, tool.name)
      const other = found.get(name)
      if (other !== undefined) {
        problems.push(
          `\`${tool.name}\` is left out, since \`${other.tool.name}\` has the same name \`${name}\` already`
        )
        continue
      }
      const fingerprint = fingerprintOf(tool)
      const same = before.tools.get(name)
      found.set(name, same?.fingerprint === fingerprint ? same : known(name, tool, fingerprint))
    }
    return { tools: found, problems }
  }

  const known = (name: string, tool: ServerTool, fingerprint: string): Known => {
    const made: Known = {
      name,
      tool,
      fingerprint,
      value: mcpTool({
        name,
        tool,
        fingerprint,
        server: entry.name,
        key: approvalKey(entry, name),
        maxResultSizeChars: limits.maxResultSizeChars,
        timeoutMillis: timeoutMillis(config, limits),
        approvals,
        rules,
        call: (input, context) =>
          Effect.catchTag(
            call(made, input, context),
            "McpAuthRequired",
            (error) => Effect.andThen(offer(error, name, context), call(made, input, context))
          )
      })
    }
    return made
  }

  /** Calls a tool of which nothing was known when the call was decided, and says what changed that. */
  const callLate = Effect.fnUntraced(function*(
    name: string,
    input: { readonly [key: string]: unknown },
    context: ToolContext,
    since: string
  ): Effect.fn.Return<Output, unknown> {
    yield* Effect.mapError(fresh, toCallError)
    const failed = (reason: string) => new McpCallFailed({ server: entry.name, reason })
    const tool = listed.tools.get(name)?.value
    if (tool === undefined) return yield* failed(`${since}, and it has no tool \`${name}\``)
    const prepared = tool.prepare(input)
    // INVARIANT: what was permitted is a tool that has nothing to say of itself. A tool that has is asked for again.
    const asItWas = Result.isSuccess(prepared) && !tool.needsPerson &&
      (yield* prepared.success.check(context.call))._tag === "NoOpinion"
    return yield* asItWas ? prepared.success.run(context) : failed(`${since}: call again`)
  })

  return {
    signIn: Effect.fnUntraced(function*(visit) {
      const failed = (error: McpConnectFailed | McpAuthRequired) =>
        new SignInFailed({
          server: entry.name,
          reason: error._tag === "McpAuthRequired" ? "it refuses the sign-in" : reasonOf(error)
        })
      const before = yield* Effect.result(fresh)
      if (Result.isFailure(before) && before.failure._tag !== "McpAuthRequired") return yield* failed(before.failure)
      const standing = authorization === undefined ? "none" : yield* authorization.standing
      if (Result.isSuccess(before) && standing !== "too little") {
        return standing === "none" ? "not-needed" : "already-signed-in"
      }
      if (authorization === undefined) {
        const reason = "it refuses what the `headers` of its configuration say"
        return yield* new SignInFailed({ server: entry.name, reason })
      }
      yield* authorization.signIn(visit)
      yield* Effect.mapError(fresh, failed)
      return "signed-in"
    }),
    state: Effect.sync(() => {
      if (link !== undefined) {
        return Deferred.isDoneUnsafe(link.done)
          ? { _tag: "Connected", tools: toolsIn(listed), problems: listed.problems }
          : { _tag: "Connecting" }
      }
      if (failure === undefined) return { _tag: "Waiting" }
      return failure._tag === "McpAuthRequired"
        ? { _tag: "NeedsSignIn", how: failure.how }
        : { _tag: "Failed", reason: reasonOf(failure) }
    }),
    ready: Effect.ignore(fresh),
    known: Effect.sync(() => toolsIn(listed)),
    find: (name) =>
      Effect.matchEffect(fresh, {
        onSuccess: () => Effect.sync(() => listed.tools.get(name)?.value),
        onFailure: (error) =>
          Effect.succeed(
            listed.tools.get(name)?.value ??
              absentTool(name, entry.name, {
                runs: (input, context) =>
                  error._tag === "McpAuthRequired"
                    ? Effect.andThen(
                      offer(error, name, context),
                      callLate(name, input, context, "you are signed in to it now")
                    )
                    : Effect.fail(toCallError(error))
              })
          )
      }),
    asleep: () => link === undefined,
    peek: (name) =>
      Effect.sync(() =>
        listed.tools.get(name)?.value ??
          absentTool(name, entry.name, {
            runs: (input, context) => callLate(name, input, context, "it is connected to now")
          })
      )
  }
})

/** `stale`: the tools are to be listed again, since they changed or the connection may be gone. */
interface Link {
  readonly done: Deferred.Deferred<Connection, McpConnectError>
  stale: boolean
  drop: Effect.Effect<void>
}

interface Known {
  readonly name: string
  readonly tool: ServerTool
  readonly fingerprint: string
  readonly value: Tool
}

interface Listed {
  readonly tools: ReadonlyMap<string, Known>
  readonly problems: ReadonlyArray<string>
}

const toolsIn = ({ tools }: Listed): ReadonlyArray<Tool> => [...tools.values()].map(({ value }) => value)

const replaced = (server: string): McpConnectFailed =>
  new McpConnectFailed({ server, reason: "its configuration was changed meanwhile: call again" })

const toCallError = (error: McpConnectError): ExecuteError =>
  error._tag === "McpAuthRequired" ? error : new McpCallFailed({
    server: error.server,
    reason: reasonOf(error),
    cause: error
  })

const reasonOf = ({ reason, stderr }: McpConnectFailed): string =>
  stderr === undefined ? reason : `${reason}; its program said: ${stderr}`

/** A server that is reached by its address keeps no connection that could end: it forgets the session, or who we are. */
const endsConnection = (error: ExecuteError): boolean => error._tag === "McpAuthRequired" || isForgotten(error)

const isForgotten = (error: ExecuteError): boolean => error._tag === "McpCallFailed" && statusOf(error.cause) === 404

const mostBackOff = 60_000

/** The first death may happen to anybody. */
const backOff = (deaths: number): number => deaths < 2 ? 0 : Math.min(1_000 * 2 ** (deaths - 2), mostBackOff)

const leastTimeout = 1_000

const ownTimeout = ({ timeout }: ServerConfig): number | undefined =>
  timeout !== undefined && timeout >= leastTimeout ? timeout : undefined

const timeoutMillis = (config: ServerConfig, { callMillis }: McpLimits): number => ownTimeout(config) ?? callMillis

const minute = 60_000

/** A program of this machine may think for long; a connection that says nothing is probably gone. */
const idleMillis = (config: ServerConfig, limits: McpLimits): number =>
  Math.min(
    Math.max(isStdio(config) ? 30 * minute : 5 * minute, ownTimeout(config) ?? 0),
    timeoutMillis(config, limits) + minute
  )
