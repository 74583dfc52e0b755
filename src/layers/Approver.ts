/**
 * Layers that provide `Approver`.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { closeSync, fstatSync, openSync } from "node:fs"
import { effectOf } from "../domain/effectOf.ts"
import type { Elicitation, ElicitationAnswer } from "../domain/Elicitation.ts"
import type { Answer, Question } from "../domain/Question.ts"
import { classify } from "../errors/classify.ts"
import { Approver } from "../services/Approver.ts"

/**
 * How a terminal asks.
 *
 * **Details**
 *
 * - `plain`: numbered lines in place of arrow keys, for screen readers. Left out:
 *   when `TOOLGATE_PLAIN` is set or `TERM` is `dumb`.
 * - `colors`: left out: unless `NO_COLOR` is set.
 * - `timeLimit`: how long a question waits before it counts as unanswered. None
 *   when left out.
 * - `cancel`: what Ctrl-C does beside leaving the question; sends the signal
 *   that it would have been outside of a question when left out.
 *
 * @category options
 * @since 0.1.0
 */
export interface TerminalOptions {
  readonly plain?: boolean
  readonly colors?: boolean
  readonly timeLimit?: Duration.Input
  readonly cancel?: Effect.Effect<void>
}

/**
 * Layer that asks at the terminal of the process, one question at a time, even
 * when standard input and output are something else. Where there is no terminal
 * nobody can be asked. A page that a server wants opened is opened in the
 * browser once the person agrees.
 *
 * **Gotchas**
 *
 * After Ctrl-C the question stays unanswered until whoever asked is interrupted,
 * as the signal should see to.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerTerminal = (options: TerminalOptions = {}): Layer.Layer<Approver> => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  const limited = (asking: Effect.Effect<Answer | "cancelled">): Effect.Effect<Answer | "cancelled"> =>
    options.timeLimit === undefined
      ? asking
      : Effect.timeoutOrElse(asking, {
        duration: options.timeLimit,
        orElse: () => Effect.succeed(nobody("nobody answered in time"))
      })
  const unlessCancelled = <A>(asking: Effect.Effect<A | "cancelled">): Effect.Effect<A> =>
    oneAtATime.withPermits(1)(Effect.gen(function*() {
      const answer = yield* asking
      if (answer !== "cancelled") return answer
      yield* options.cancel ?? Effect.sync(() => process.kill(process.pid, "SIGINT"))
      return yield* Effect.never
    }))
  return Layer.sync(Approver, () => ({
    ask: (question, touched) => unlessCancelled(limited(askTerminal(question, touched, options))),
    ...(hasTerminal() ? { elicit: (asked: Elicitation) => unlessCancelled(elicitTerminal(asked)) } : {})
  }))
}

/**
 * Layer that asks nobody: whatever would have been asked is denied.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerDeny = (why = "asking is switched off"): Layer.Layer<Approver> =>
  Layer.succeed(Approver, { ask: () => Effect.succeed(nobody(why)) })

/**
 * Layer that gives prepared answers in turn, then says that nobody is left.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerScripted = (answers: ReadonlyArray<Answer>): Layer.Layer<Approver> =>
  Layer.effect(
    Approver,
    Effect.map(Ref.make(0), (asked) => ({
      ask: (_: Question, touched: Effect.Effect<void>) =>
        Effect.andThen(
          touched,
          Effect.map(
            Ref.getAndUpdate(asked, (count) => count + 1),
            (count) => answers[count] ?? nobody("there are no answers left")
          )
        )
    }))
  )

/**
 * Layer that asks an application's own Effect. Where that fails, nobody was
 * asked.
 *
 * **Example** (Asking in a chat)
 *
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Approver from "toolgate/layers/Approver"
 *
 * const inChat = Approver.layerFunction((question) =>
 *   Effect.succeed(question.tool === "Read" ? { _tag: "Once" } : { _tag: "Denied", reason: "not from the chat" })
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFunction = <E, R>(
  ask: (question: Question, touched: Effect.Effect<void>) => Effect.Effect<Answer, E, R>
): Layer.Layer<Approver, never, R> =>
  Layer.effect(
    Approver,
    Effect.map(Effect.context<R>(), (context) => ({
      ask: (question: Question, touched: Effect.Effect<void>) =>
        Effect.suspend(() => effectOf("the approver", ask(question, touched))).pipe(
          Effect.provideContext(context),
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.logError("the approver failed", classify(Cause.squash(cause))).pipe(
                Effect.andThen(Effect.logDebug("the approver failed", cause)),
                Effect.as(nobody("asking failed"))
              )
          )
        )
    }))
  )

const nobody = (why: string): Extract<Answer & ElicitationAnswer, { readonly _tag: "Nobody" }> => ({
  _tag: "Nobody",
  why
})

// The prompts are loaded when there is something to ask: most calls need none.
const askTerminal = Effect.fnUntraced(
  function*(question: Question, touched: Effect.Effect<void>, options: TerminalOptions) {
    const { open } = yield* Effect.promise(() => import("./approver/Tty.ts"))
    const tty = yield* open(touched)
    if (tty === undefined) return nobody("there is no terminal to ask at")

    const asking: Effect.Effect<Answer, unknown> = options.plain ?? prefersPlain()
      ? (yield* Effect.promise(() => import("./approver/askPlain.ts"))).askPlain(question, tty.terminal)
      : (yield* Effect.promise(() => import("./approver/askRich.ts"))).askRich(question, tty.terminal, {
        colors: options.colors ?? !isSet("NO_COLOR")
      })
    return yield* Effect.catch(asking, () => {
      const ending = tty.ending()
      const answer: Answer | "cancelled" = ending === "cancelled"
        ? ending
        : ending === "declined"
        ? { _tag: "Denied" }
        : nobody("the terminal went away")
      return Effect.as(Effect.ignore(tty.terminal.display("\r\n")), answer)
    })
  },
  Effect.scoped
)

/** A form is filled in at the terminal; a page is shown, and opened once the person agrees. */
const elicitTerminal = Effect.fnUntraced(
  function*({ asks, message, server }: Elicitation): Effect.fn.Return<
    ElicitationAnswer | "cancelled",
    never,
    Scope.Scope
  > {
    const { open } = yield* Effect.promise(() => import("./approver/Tty.ts"))
    const tty = yield* open(Effect.void)
    if (tty === undefined) return nobody("there is no terminal to ask at")
    const answer = yield* Effect.result(
      asks._tag === "Form"
        ? (yield* Effect.promise(() => import("./approver/askForm.ts")))
          .askForm({ message, server, fields: asks.fields }, tty.terminal)
        : (yield* Effect.promise(() => import("./approver/askAddress.ts")))
          .askAddress({ message, server, url: asks.url }, tty.terminal)
    )
    if (Result.isFailure(answer)) return tty.ending() === "cancelled" ? "cancelled" : { _tag: "Declined" }
    if (asks._tag === "Address" && answer.success._tag === "Given") {
      const { openBrowser } = yield* Effect.promise(() => import("./openBrowser.ts"))
      yield* openBrowser(asks.url)
    }
    return answer.success
  },
  Effect.scoped
)

/** Whoever asks can do without what only prepares a question that nobody would see. */
const hasTerminal = (): boolean => {
  try {
    closeSync(openSync("/dev/tty", "r"))
    return true
  } catch {
    // To make streams of them takes longer than to see that they can't be terminals.
    const [stdin, stdout, stderr] = [0, 1, 2].map((descriptor) => fstatSync(descriptor).isCharacterDevice())
    return stdin === true && (stdout === true || stderr === true) && process.stdin.isTTY &&
      (process.stderr.isTTY || process.stdout.isTTY)
  }
}

const prefersPlain = (): boolean => isSet("TOOLGATE_PLAIN") || process.env["TERM"] === "dumb"

const isSet = (name: string): boolean => (process.env[name] ?? "") !== ""
