/**
 * Serves for `toolgate serve`.
 *
 * @since 0.1.0
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { NetSocket } from "@effect/platform-node/NodeSocket"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Socket } from "effect/socket/Socket"
import type { Socket as Connection } from "node:net"
import * as path from "node:path"
import type { CallContext } from "../domain/CallContext.ts"
import type { Pipeline } from "../pipeline.ts"
import type { RuleSources } from "../services/RuleSources.ts"
import type { ToolRegistry } from "../services/ToolRegistry.ts"
import { answerLine } from "./answerLine.ts"
import { Misused } from "./Ended.ts"
import { gate } from "./gate.ts"
import { line } from "./line.ts"
import { type Line, makeLineSplitter } from "./LineSplitter.ts"
import { listen } from "./listen.ts"
import { mindPolicy } from "./mindPolicy.ts"
import { version } from "./Output.ts"
import type { Shared } from "./root.ts"
import type { ServeReply } from "./Serving.ts"
import { socketPath } from "./socketPath.ts"
import * as Stop from "./Stop.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * Answers until it is told to stop. What was asked by then is still answered,
 * unless somebody does not take their answers.
 *
 * @category commands
 * @since 0.1.0
 */
export const runServe = Effect.fn("cli.serve")(function*(given: Option.Option<string>, shared: Shared) {
  if (Option.isSome(given) && given.value === "") return yield* new Misused({ problem: "`--socket` needs a path" })
  const file = Option.match(given, { onNone: socketPath, onSome: (given) => path.resolve(given) })
  const layer = yield* gate(shared)
  const standard = yield* Surroundings.context(shared)
  yield* Stop.finishing((stopped) => serve(file, standard, stopped)).pipe(
    Effect.scoped,
    Effect.provide([layer, NodeFileSystem.layer])
  )
})

const mostConnections = 1_000
const mostBytes = 10_000_000

const serve = Effect.fnUntraced(function*(file: string, standard: CallContext, stopped: Effect.Effect<unknown>) {
  yield* mindPolicy(standard)
  const server = yield* listen(file)
  const connections = new Set<Connection>()
  // Who does not read keeps nobody from stopping.
  yield* Effect.addFinalizer(() => Effect.sync(() => connections.forEach((connection) => connection.destroy())))
  const places = yield* Semaphore.make(mostConnections)
  yield* write.err(line(`listening on \`${file}\``))

  const converse = Effect.fnUntraced(function*(socket: Socket) {
    // The server gives each handler its connection, beside what its type tells.
    const connection = Context.getUnsafe(yield* Effect.context<never>(), NetSocket)
    connections.add(connection)
    connection.once("close", () => connections.delete(connection))
    yield* answerAll(socket, connection, standard, stopped)
  }, Effect.scoped)
  const idle = places.withPermits(mostConnections)(Effect.void)
  yield* Effect.raceFirst(
    server.run((socket) => places.withPermits(1)(converse(socket))),
    Effect.andThen(stopped, Effect.timeoutOption(idle, "5 seconds"))
  )
})

/** One question after the other, so that whoever asks faster than they read is not read from. */
const answerAll = Effect.fnUntraced(function*(
  socket: Socket,
  connection: Connection,
  standard: CallContext,
  stopped: Effect.Effect<unknown>
): Effect.fn.Return<void, never, Pipeline | RuleSources | Scope.Scope | ToolRegistry> {
  const reader = yield* Effect.option(socket.reader)
  if (Option.isNone(reader)) return
  const { end, push } = makeLineSplitter(mostBytes)
  const next = Effect.raceFirst(Effect.option(reader.value.pull), Effect.as(stopped, undefined))
  let chunks = yield* next
  for (; chunks !== undefined && Option.isSome(chunks); chunks = yield* next) {
    for (const chunk of chunks.value) {
      for (const line of push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) {
        yield* send(connection, yield* answerOf(line, standard))
      }
    }
  }
  // Who closes their side has said all, also where the last line has no end. Who was stopped may not have.
  if (chunks === undefined) return
  for (const line of end()) yield* send(connection, yield* answerOf(line, standard))
})

const answerOf = (
  line: Line,
  standard: CallContext
): Effect.Effect<ServeReply, never, Pipeline | RuleSources | ToolRegistry> => {
  switch (line._tag) {
    case "Line":
      return answerLine(line.text, standard)
    case "TooLong":
      return Effect.succeed({ version, id: null, error: `a line is longer than ${mostBytes / 1_000_000} MB, ask less` })
    case "NoText":
      return Effect.succeed({ version, id: null, error: "the line is not UTF-8 text" })
  }
}

/** Goes on when the system has taken it all, or the other side is gone: then nothing more can be read either. */
const send = (connection: Connection, reply: ServeReply): Effect.Effect<void> =>
  Effect.callback((resume) => void connection.write(`${JSON.stringify(reply)}\n`, () => resume(Effect.void)))
