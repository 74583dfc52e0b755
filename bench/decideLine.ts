/** One decision about a shell line, the reading of the line included, and nothing around it. */
import * as Effect from "effect/Effect"
import type { CallContext } from "../src/domain/CallContext.ts"
import type { Decision } from "../src/domain/Decision.ts"
import { silent } from "../src/domain/Hook.ts"
import type { Policy } from "../src/domain/Policy.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import { readLine } from "../src/permission/bash/readLine.ts"
import { isReadOnly } from "../src/permission/bash/readOnly/isReadOnly.ts"
import { decide } from "../src/permission/decide.ts"
import { demandsOf } from "../src/permission/demandsOf.ts"
import { RuleSources } from "../src/services/RuleSources.ts"
import { place } from "../test/permission/path/place.ts"

const context: CallContext = { session: "bench", cwd: "/repo", directories: [] }

const here = place()

/** The policy of rules that are read anew each time. */
export const policyOf = (allow: ReadonlyArray<string>, deny: ReadonlyArray<string>): Promise<Policy> =>
  Effect.runPromise(
    Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(
      Effect.provide(RuleSourcesLayers.layerMemory({ texts: { userSettings: { allow, deny } } }))
    )
  )

export const decideLine = (policy: Policy, command: string): Decision =>
  decide({
    tool: "Bash",
    server: undefined,
    needsPerson: false,
    hook: silent,
    mode: "default",
    policy,
    place: here,
    effective: {
      input: { command },
      ask: undefined,
      opinion: { _tag: "NoOpinion" },
      demands: demandsOf("Bash", { _tag: "Shell", command }, readLine(command), here)
    },
    original: undefined,
    resolved: new Map(),
    expanded: new Map(),
    below: new Map(),
    readOnly: isReadOnly
  })
