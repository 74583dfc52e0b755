/**
 * Decides about a tool that is not here, by its name alone.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import type { CallContext } from "../domain/CallContext.ts"
import type { Decision } from "../domain/Decision.ts"
import { silent } from "../domain/Hook.ts"
import { modeOf, type Policy } from "../domain/Policy.ts"
import { type OneSubject, plain } from "../domain/Subject.ts"
import { canonicalName } from "../domain/toolNames.ts"
import { decide } from "../permission/decide.ts"
import { demandsOf } from "../permission/demandsOf.ts"

/**
 * Says what the rules say of a call of a tool that nothing but its name is known
 * of. The input counts only for rules that name one of its fields, and for which
 * agent a call of `Agent` is for.
 *
 * @category deciding
 * @since 0.1.0
 */
export const decideForeign = (
  name: string,
  input: { readonly [key: string]: unknown },
  policy: Policy,
  context: CallContext
): Decision => {
  const tool = canonicalName(name)
  const { subagent_type: agent } = input
  const subject: OneSubject = tool === "Agent" && typeof agent === "string" ? { _tag: "Agent", name: agent } : plain
  const place = {
    cwd: context.cwd,
    projectRoot: policy.projectRoot,
    home: homedir(),
    directories: [],
    platform: process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux",
    caseInsensitive: false,
    protectedPaths: []
  } as const
  return decide({
    tool,
    needsPerson: false,
    hook: silent,
    mode: modeOf(policy, context),
    policy,
    place,
    effective: {
      input,
      ask: undefined,
      opinion: { _tag: "NoOpinion" },
      demands: demandsOf(tool, subject, undefined, place)
    },
    original: undefined,
    resolved: new Map(),
    expanded: new Map(),
    below: new Map(),
    readOnly: () => ({ readOnly: false, why: "nothing is known of it" })
  })
}
