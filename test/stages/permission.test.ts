import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { standard } from "../../src/domain/AuditEntry.ts"
import type { ScreenedCall } from "../../src/domain/Call.ts"
import type { HookOutcome } from "../../src/domain/Hook.ts"
import { silent } from "../../src/domain/Hook.ts"
import type { Policy } from "../../src/domain/Policy.ts"
import type { Answer } from "../../src/domain/Question.ts"
import type { RuleSource } from "../../src/domain/Rule.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { AuditFailed } from "../../src/errors/AuditError.ts"
import { StoreFailed } from "../../src/errors/SessionError.ts"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { Approver } from "../../src/services/Approver.ts"
import { AuditLog } from "../../src/services/AuditLog.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { failureText } from "../../src/stages/failureText.ts"
import { permission } from "../../src/stages/permission.ts"
import { bash, screened } from "../support/calls.ts"
import { given } from "../support/given.ts"
import { hooks, services } from "../support/services.ts"

type Texts = {
  readonly [Source in RuleSource]?: {
    readonly allow?: Array<string>
    readonly ask?: Array<string>
    readonly deny?: Array<string>
  }
}

const rules = (texts: Texts = {}, policy: Partial<Policy> = {}) => RuleSourcesLayers.layerMemory({ texts, ...policy })

const judged = (
  command: string,
  parts: Parameters<typeof services>[0] = {},
  changes: Partial<ScreenedCall> = {}
) =>
  Effect.flatMap(screened(bash, { command }, changes), given(permission)).pipe(
    Effect.catchTag("InputRefused", Effect.die),
    Effect.provide(services(parts))
  )

const said = (outcome: Partial<HookOutcome>): Partial<ScreenedCall> => ({ hook: { ...silent, ...outcome } })

const never: Layer.Layer<Approver> = Layer.mock(Approver, {})

describe("permission", () => {
  it.effect("what can't be written into an audit log that settings require does not run, and a deny stays one", () =>
    Effect.gen(function*() {
      const audited = (command: string, required: boolean | undefined, keeps = false) =>
        judged(command, {
          rules: rules({ userSettings: { allow: ["Bash(npm test)"], deny: ["Bash(rm *)"] } }, {
            audit: { ...standard, ...(required === undefined ? {} : { required }) }
          }),
          approver: never
        }).pipe(Effect.provideService(AuditLog, {
          record: () => keeps ? Effect.void : Effect.fail(new AuditFailed({ reason: "the disk is full" }))
        }))
      const denied = yield* Effect.flip(audited("npm test", true))
      assert.strictEqual(denied.by, "audit")
      assert.match(denied.message, /the disk is full, and settings require it/)
      assert.match(failureText(denied), /was denied, since the audit log that settings require could not be written/)
      assert.notInclude(failureText(denied), "disk")
      assert.match(denied.call.notes.map(({ text }) => text).join(), /the disk is full/)

      for (const required of [undefined, false]) {
        const { notes } = yield* audited("npm test", required)
        assert.match(notes.map(({ text }) => text).join(), /the disk is full/)
      }
      assert.strictEqual((yield* audited("npm test", true, true)).decision.by, "rule")
      assert.strictEqual((yield* Effect.flip(audited("rm x", true))).by, "rule")
    }))

  it.effect("an allow rule lets a call through before anyone is asked", () =>
    Effect.gen(function*() {
      const call = yield* judged("npm test", {
        rules: rules({ userSettings: { allow: ["Bash(npm test)"] } }),
        approver: never
      })
      assert.strictEqual(call.decision.row, 6)
      assert.strictEqual(call.decision.rule?.text, "Bash(npm test)")
    }))

  it.effect("a deny rule stops the call before anyone is asked", () =>
    Effect.gen(function*() {
      const denied = yield* Effect.flip(judged("git status && rm -rf build", {
        rules: rules({ userSettings: { allow: ["Bash"] }, session: { deny: ["Bash(rm *)"] } }),
        approver: never
      }))
      assert.strictEqual(denied.by, "rule")
      assert.strictEqual(denied.call.decision?.rule?.text, "Bash(rm *)")
    }))

  it.effect("a hook's deny goes before an allow rule", () =>
    Effect.gen(function*() {
      const denied = yield* Effect.flip(judged(
        "npm test",
        { rules: rules({ userSettings: { allow: ["Bash"] } }), approver: never },
        said({ decision: "deny", reason: "not today", source: "userSettings", name: "gate" })
      ))
      assert.strictEqual(denied.by, "hook")
      assert.strictEqual(denied.reason, "not today")
    }))

  it.effect("a hook's allow skips the user's deny rules and yields to those of the policy", () =>
    Effect.gen(function*() {
      const allow = said({ decision: "allow", source: "userSettings", name: "gate", allowsInput: true })
      const user = rules({ userSettings: { deny: ["Bash(git push *)"] } })
      const policy = rules({ policySettings: { deny: ["Bash(git push *)"] } })
      const yielding = rules({ userSettings: { deny: ["Bash(git push *)"] } }, { hookAllow: "yields" })

      assert.strictEqual((yield* judged("git push", { rules: user, approver: never }, allow)).decision.row, 2)
      assert.strictEqual((yield* Effect.flip(judged("git push", { rules: policy, approver: never }, allow))).by, "rule")
      assert.strictEqual(
        (yield* Effect.flip(judged("git push", { rules: yielding, approver: never }, allow))).by,
        "rule"
      )
    }))

  it.effect("a hook's allow of an input that another hook rewrote permits nothing", () =>
    Effect.gen(function*() {
      const denied = yield* Effect.flip(judged(
        "git push",
        {},
        said({ decision: "allow", source: "userSettings", name: "gate", allowsInput: false })
      ))
      assert.strictEqual(denied.by, "nobody")
    }))

  it.effect("what a hook replaced is still judged for denies", () =>
    Effect.gen(function*() {
      const original = yield* screened(bash, { command: "git push" })
      const denied = yield* Effect.flip(judged(
        "npm test",
        { rules: rules({ userSettings: { allow: ["Bash(npm test)"], deny: ["Bash(git push)"] } }), approver: never },
        {
          hook: { ...silent, rewritten: { command: "npm test" } },
          original: { invocation: original.invocation, ask: undefined }
        }
      ))
      assert.strictEqual(denied.call.decision?.rule?.text, "Bash(git push)")
    }))

  it.effect("what a hook replaced needs no permit of its own", () =>
    Effect.gen(function*() {
      const original = yield* screened(bash, { command: "npm publish" })
      const call = yield* judged(
        "npm test",
        { rules: rules({ userSettings: { allow: ["Bash(npm test)"] } }), approver: never },
        {
          hook: { ...silent, rewritten: { command: "npm test" } },
          original: { invocation: original.invocation, ask: undefined }
        }
      )
      assert.strictEqual(call.decision.verdict, "allow")
    }))

  it.effect("with nobody to ask the call is denied and says so", () =>
    Effect.gen(function*() {
      const denied = yield* Effect.flip(judged("npm publish"))
      assert.strictEqual(denied.by, "nobody")
    }))

  it.effect("a person's reason goes with the denial", () =>
    Effect.gen(function*() {
      const denied = yield* Effect.flip(judged("npm publish", {
        approver: ApproverLayers.layerScripted([{ _tag: "Denied", reason: "wait for the review" }])
      }))
      assert.strictEqual(denied.by, "person")
      assert.strictEqual(denied.reason, "wait for the review")
    }))

  it.effect("always allow saves the suggestion, so that the same call is not asked about again", () =>
    Effect.gen(function*() {
      const call = yield* screened(bash, { command: "npm test -- --watch" })
      yield* given(permission)(call)
      const again = yield* given(permission)(call)
      assert.strictEqual(again.decision.by, "rule")
      assert.strictEqual(again.decision.rule?.origin.source, "session")
    }).pipe(Effect.provide(services({
      approver: ApproverLayers.layerScripted([{ _tag: "Always", destination: "session" }])
    }))))

  it.effect("a rule that can't be saved still allows the call, and a person is told", () =>
    Effect.gen(function*() {
      const failing = Layer.effect(
        RuleSources,
        Effect.map(RuleSources, (sources) => ({
          ...sources,
          grant: () => Effect.fail(new StoreFailed({ path: "/settings.json", reason: "can't be written" }))
        }))
      ).pipe(Layer.provide(rules()))
      const call = yield* judged("npm test", {
        rules: failing,
        approver: ApproverLayers.layerScripted([{ _tag: "Always", destination: "localSettings" }])
      })
      assert.include(call.notes.map(({ text }) => text).join(), "/settings.json")
    }))

  it.effect("a classifier that is sure answers before the person does", () =>
    Effect.gen(function*() {
      const waiting = Layer.succeed(Approver, { ask: () => Effect.never })
      const call = yield* judged("npm test", { approver: waiting }, {
        pending: Effect.succeed({ verdict: "allow", description: "run tests" })
      })
      assert.strictEqual(call.decision.verdict, "ask")
    }))

  it.effect("a classifier without an opinion does not end the race", () =>
    Effect.gen(function*() {
      const denied = yield* Effect.flip(judged("npm test", {
        approver: Layer.succeed(Approver, {
          ask: () => Effect.as(Effect.yieldNow, { _tag: "Denied" } satisfies Answer)
        })
      }))
      assert.strictEqual(denied.by, "person")
    }))

  it.effect("after the first key no classifier permits", () =>
    Effect.gen(function*() {
      const touched = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(Effect.flip(judged("npm test", {
        approver: Layer.succeed(Approver, {
          ask: (_, touch) =>
            touch.pipe(
              Effect.andThen(Deferred.succeed(touched, undefined)),
              Effect.andThen(Effect.sleep(1_000)),
              Effect.as({ _tag: "Denied" } satisfies Answer)
            )
        })
      }, {
        pending: Effect.as(Deferred.await(touched), { verdict: "allow", description: "run tests" })
      })))
      yield* Deferred.await(touched)
      yield* TestClock.adjust(1_000)
      assert.strictEqual((yield* Fiber.join(fiber)).by, "person")
    }))

  it.effect("no classifier answers what a person must be asked", () =>
    Effect.gen(function*() {
      const denied = yield* Effect.flip(judged(
        "npm test",
        { rules: rules({ userSettings: { ask: ["Bash(npm *)"] } }) },
        { pending: Effect.succeed({ verdict: "allow", description: "run tests" }) }
      ))
      assert.strictEqual(denied.by, "nobody")
    }))

  it.effect("a hook may answer an ask in the person's place, but not for safety", () =>
    Effect.gen(function*() {
      const answering = hooks({ permissionRequest: () => Effect.succeed({ _tag: "Allowed", name: "helper" }) })
      const call = yield* judged("npm publish", { hooks: answering, approver: never })
      assert.strictEqual(call.decision.verdict, "ask")

      const denied = yield* Effect.flip(judged("rm -rf /", {
        hooks: answering,
        rules: rules({ userSettings: { allow: ["Bash"] } })
      }))
      assert.strictEqual(denied.by, "nobody")
      assert.strictEqual(denied.call.decision?.by, "safety")
    }))

  it.effect("a hook that denies in the person's place is named to them, and may end the turn", () =>
    Effect.gen(function*() {
      const answering = hooks({
        permissionRequest: () =>
          Effect.succeed({ _tag: "Denied", name: "helper", message: "not today", endsTurn: "it is late" })
      })
      const denied = yield* Effect.flip(judged("npm publish", { hooks: answering, approver: never }))
      assert.strictEqual(denied.endsTurn, "it is late")
      assert.deepStrictEqual(denied.call.notes, [
        { audience: "person", text: "the hook `helper` denied it: not today" }
      ])
    }))

  it.effect("a settings file that can't be read turns permits into asks and leaves denies alone", () =>
    Effect.gen(function*() {
      const hidden: Partial<Policy> = {
        unreadable: [{
          origin: { source: "projectSettings", file: "/repo/.claude/settings.json", line: 3, column: 1 },
          reason: "a comma is missing"
        }]
      }
      const texts: Texts = { userSettings: { allow: ["Bash"], deny: ["Bash(rm *)"] } }
      const asked = yield* Effect.flip(judged("npm test", { rules: rules(texts, hidden) }))
      assert.strictEqual(asked.call.decision?.by, "settings")
      assert.include(asked.detail, "/repo/.claude/settings.json:3:1")
      const denied = yield* Effect.flip(judged("rm x", { rules: rules(texts, hidden), approver: never }))
      assert.strictEqual(denied.by, "rule")
    }))

  it.effect("the third denial in a row comes with guidance", () =>
    Effect.gen(function*() {
      const call = yield* screened(bash, { command: "git push" })
      const denials = yield* Effect.forEach([1, 2, 3], () =>
        Effect.flip(Effect.catchTag(given(permission)(call), "InputRefused", Effect.die)))
      assert.deepStrictEqual(
        denials.map(({ guidance }) =>
          guidance === undefined
        ),
        [true, true, false]
      )
    }).pipe(Effect.provide(services({}))))

  it.effect("a permitted call may open the files it was judged by and none that a rule denies", () =>
    Effect.gen(function*() {
      const read = Tool.make({
        name: "Read",
        description: "reads",
        input: Schema.Struct({ file_path: Schema.String }),
        subject: ({ file_path }) => ({ _tag: "File", access: "read", path: file_path }),
        handler: () => Effect.succeed("text")
      })
      const call = yield* Effect.flatMap(screened(read, { file_path: "a.txt" }), given(permission))
      assert.isTrue(yield* call.guard("read", "/repo/a.txt"))
      assert.isFalse(yield* call.guard("read", "/repo/.env"))
      assert.isFalse(yield* call.guard("read", "/etc/passwd"))
      assert.isFalse(yield* call.guard("edit", "/repo/b.txt"))
    }).pipe(Effect.provide(services({ rules: rules({ userSettings: { deny: ["Read(.env)"] } }) }))))
})
