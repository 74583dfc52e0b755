import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { describe, expect, test } from "tstyche"
import type {
  AskedCall,
  FoundCall,
  ObservedCall,
  RenderedCall,
  ScreenedCall,
  SettledCall,
  ValidCall
} from "../../src/domain/Call.ts"
import type { CallError } from "../../src/errors/CallError.ts"
import type { ExecuteError } from "../../src/errors/ExecuteError.ts"
import type { Services } from "../../src/pipeline.ts"
import { emit, type Ending } from "../../src/stages/emit.ts"
import { execute } from "../../src/stages/execute.ts"
import type { Failure, rows } from "../../src/stages/failureText.ts"
import { lookup } from "../../src/stages/lookup.ts"
import { permission, type PermittedCall } from "../../src/stages/permission.ts"
import { postHook } from "../../src/stages/postHook.ts"
import { result } from "../../src/stages/result.ts"
import { screen } from "../../src/stages/screen.ts"
import { validate } from "../../src/stages/validate.ts"

declare const asked: AskedCall
declare const found: FoundCall
declare const valid: ValidCall
declare const screened: ScreenedCall
declare const permitted: PermittedCall
declare const settled: SettledCall<ExecuteError>
declare const rendered: RenderedCall<ExecuteError>
declare const observed: ObservedCall<ExecuteError>
declare const services: Context.Context<Services>

type Succeeds<F> = F extends (...args: never) => Effect.Effect<infer A, unknown, unknown> ? A : never

describe("each stage takes what the one before it gives", () => {
  test("in order it compiles", () => {
    expect(lookup).type.toBeCallableWith(asked, services)
    expect(validate).type.toBeCallableWith(found)
    expect(screen).type.toBeCallableWith(valid, services)
    expect(permission).type.toBeCallableWith(screened, services)
    expect(execute).type.toBeCallableWith(permitted, services)
    expect(result).type.toBeCallableWith(settled)
    expect(postHook).type.toBeCallableWith(rendered, services)
    expect<Succeeds<typeof postHook>>().type.toBe<ObservedCall<ExecuteError>>()
  })

  test("skipping a stage does not", () => {
    expect(validate).type.not.toBeCallableWith(asked)
    expect(screen).type.not.toBeCallableWith(found, services)
    expect(permission).type.not.toBeCallableWith(valid, services)
    expect(execute).type.not.toBeCallableWith(screened, services)
    expect(result).type.not.toBeCallableWith(permitted)
    expect(postHook).type.not.toBeCallableWith(settled, services)
    expect(emit).type.not.toBeCallableWith(asked, { _tag: "Observed", call: rendered })
    expect(emit).type.toBeCallableWith(asked, { _tag: "Observed", call: observed })
  })
})

describe("no execution without permission", () => {
  test("everything that a permitted call holds does not make one", () => {
    const { decision, guard } = permitted
    expect(execute).type.not.toBeCallableWith({ ...screened, decision, guard }, services)
    expect<PermittedCall>().type.not.toBeAssignableFrom<ScreenedCall & Pick<PermittedCall, "decision" | "guard">>()
  })

  test("a call that has run can't run again", () => {
    expect(execute).type.not.toBeCallableWith(settled, services)
  })
})

describe("every failure has a row", () => {
  test("of the table that emit renders", () => {
    expect<keyof typeof rows>().type.toBe<Failure["_tag"]>()
    expect<Failure>().type.toBeAssignableFrom<CallError | ExecuteError>()
  })

  test("and a new one without a row does not compile", () => {
    type Wider = Failure | { readonly _tag: "Unheard" }
    type Rows = { readonly [Tag in Wider["_tag"]]: (failure: Extract<Wider, { readonly _tag: Tag }>) => string }
    expect<Rows>().type.not.toBeAssignableFrom<typeof rows>()
    expect<Ending>().type.not.toBeAssignableFrom<
      { readonly _tag: "Failed"; readonly error: { readonly _tag: "Unheard" } }
    >()
  })

  test("the spine's failures are in its type, stage by stage", () => {
    type FailureOf<F> = F extends (...args: never) => Effect.Effect<unknown, infer E, unknown>
      ? E extends { readonly _tag: infer Tag } ? Tag : never
      : never
    expect<FailureOf<typeof lookup>>().type.toBe<"ToolNotFound">()
    expect<FailureOf<typeof validate>>().type.toBe<"InputInvalid" | "InputRefused">()
    expect<FailureOf<typeof permission>>().type.toBe<"InputRefused" | "PermissionDenied">()
    expect<FailureOf<typeof execute>>().type.toBe<never>()
  })
})
