/**
 * Sentences about what people are told: of their settings, and of their hooks.
 *
 * @since 0.1.0
 */
import { check, type Checks } from "../Check.ts"
import type { Observation } from "../Observation.ts"

const says = (pattern: RegExp) => check((seen) => seen.notes.some((note) => pattern.test(note)))

const rulesOf = (seen: Observation): ReadonlyArray<unknown> =>
  Object.values(seen.case.given.rules ?? {}).flatMap((
    { allow = [], ask = [], deny = [] }
  ) => [...allow, ...ask, ...deny])

/** Something is wrong with a rule of the case, and the note says which one. */
const aboutRule = (seen: Observation): boolean =>
  seen.diagnostics.some(({ rule }) =>
    rule !== undefined && (
      rulesOf(seen).some((text) => String(text).trim() === rule.trim()) ||
      rawTexts(seen).some((text) => text.includes(JSON.stringify(rule)))
    )
  )

const supported = (seen: Observation): boolean => seen.readings.includes(seen.case.expect.decision)

/** What a note says of a hook names its program. */
const aboutHook = (seen: Observation, pattern: RegExp): boolean =>
  seen.notes.some((note) => /\/hooks\/hook-\d|\bhook\b/.test(note) && pattern.test(note))

const words = (seen: Observation, field: string): ReadonlyArray<string> =>
  (seen.case.given.hooks ?? []).flatMap(({ stub }) => {
    const found = new RegExp(`"${field}"\\s*:\\s*"([^"]*)"`).exec(stub.stdout ?? "")?.[1]
    return found === undefined ? [] : [found]
  })

const known: ReadonlySet<string> = new Set(
  [
    "continue stopReason suppressOutput systemMessage decision reason hookSpecificOutput hookEventName",
    "permissionDecision permissionDecisionReason updatedInput additionalContext updatedToolOutput",
    "command file_path content permissions allow ask deny defaultMode additionalDirectories hooks"
  ].flatMap((line) => line.split(" "))
)

const rawTexts = (seen: Observation): ReadonlyArray<string> => Object.values(seen.case.given.settings?.rawFiles ?? {})

const unknownFields = (seen: Observation): ReadonlyArray<string> =>
  [...(seen.case.given.hooks ?? []).map(({ stub }) => stub.stdout ?? ""), ...rawTexts(seen)].flatMap((text) =>
    [...text.matchAll(/"(\w+)"\s*:/g)].flatMap(([, name = ""]) => known.has(name) ? [] : [name])
  )

const ran = (seen: Observation, event: string) => seen.hooks.filter((hook) => hook.event === event)

const fault = /fail|could not|can't|cannot|exit code|killed|longer than|JSON|took|not found|error|unknown|no decision/i

/**
 * @category checks
 * @since 0.1.0
 */
export const notes: Checks = {
  "a visible note about the bad rule": check(aboutRule),
  "a visible note that the rule was skipped": check(aboutRule),
  "a visible note that the rule can never match": check(aboutRule),
  "a visible note that no such tool exists": check((seen) =>
    seen.notes.some((note) => /no (?:such )?tool|unknown tool|not a tool|no tool/i.test(note))
  ),
  "a note that no tool has this name would help": check((seen) => {
    const matchers = (seen.case.given.hooks ?? []).map(({ matcher = "" }) => matcher)
    return seen.notes.some((note) => matchers.some((matcher) => matcher !== "" && note.includes(matcher)))
  }),
  "a visible note about the entry that is not a text": says(/\btext|\bstring/),
  "a visible note about the unknown event": check((seen) =>
    (seen.case.given.hooks ?? []).some(({ event }) => seen.notes.some((note) => note.includes(event)))
  ),
  "a visible note about the unknown field": check((seen) =>
    unknownFields(seen).some((field) => seen.notes.some((note) => note.includes(field)))
  ),
  "a visible note about the unknown word": check((seen) =>
    [...words(seen, "permissionDecision"), ...words(seen, "decision")].some((word) =>
      seen.notes.some((note) => note.includes(word))
    )
  ),
  "a visible note at load time if the form is not supported": check((seen) => supported(seen) || aboutRule(seen)),
  "if the form is not supported, a visible note at load time": check((seen) => supported(seen) || aboutRule(seen)),
  "a visible note at load time that a single slash is not an absolute path": check((seen) =>
    seen.diagnostics.some(({ message, rule }) => rulesOf(seen).includes(rule) && /slash|absolute|\/\//.test(message))
  ),
  "a visible note or log line, so that the lost decision can be found": check((seen) => aboutHook(seen, /./)),
  "a visible note that the hook failed": check((seen) => aboutHook(seen, fault)),
  "a note about the hook is shown": check((seen) => aboutHook(seen, /./)),
  "the fault is reported": check((seen) => aboutHook(seen, fault)),
  "a visible note that the hook ran out of time": check((seen) => aboutHook(seen, /longer than|time/)),
  "a visible note that the hook's output could not be read": check((seen) => aboutHook(seen, /JSON|read|output/)),
  "a visible note with the path of the bad file": check((seen) =>
    seen.notes.some((note) => /^\/.*settings[\w.-]*\.json/.test(note))
  ),
  "a visible note with the path of the missing program": check((seen) =>
    (seen.case.given.hooks ?? []).some(({ stub }, index) =>
      stub.missing === true && seen.notes.some((note) => note.includes(`/hooks/hook-${index + 1}`))
    )
  ),
  "no hook error is reported": check((seen) => !aboutHook(seen, fault)),
  "no hook runs": check(({ hooks }) => hooks.length === 0),
  "PostToolUse does not fire": check((seen) => ran(seen, "PostToolUse").length === 0),
  "PostToolUse fires once": check((seen) => ran(seen, "PostToolUse").length === 1),
  "PostToolUseFailure does not fire": check((seen) => ran(seen, "PostToolUseFailure").length === 0),
  "PostToolUseFailure fires once": check((seen) => ran(seen, "PostToolUseFailure").length === 1),
  "PostToolUseFailure fires once and receives the error": check((seen) => {
    const [hook, ...more] = ran(seen, "PostToolUseFailure")
    return hook !== undefined && more.length === 0 && /"error":"[^"]/.test(hook.said)
  }),
  "both together take less than 700 ms": check(
    ({ hooks }) =>
      hooks.length === 2 && Math.max(...hooks.map(({ to }) => to)) - Math.min(...hooks.map(({ from }) => from)) < 700,
    "clock"
  ),
  "the hook ends within a second": check(
    ({ hooks }) => hooks.length > 0 && hooks.every(({ from, to }) => to - from < 1_000),
    "clock"
  ),
  "the hook is stopped": check((seen) => seen.hooks.length > 0 && seen.left.length === 0),
  "the reason reaches the model": check((seen) =>
    [...words(seen, "permissionDecisionReason"), ...words(seen, "reason")].some((reason) =>
      reason !== "" && seen.results[0]?.text.includes(reason)
    )
  ),
  "the text on stderr reaches the model": check((seen) =>
    (seen.case.given.hooks ?? []).some(({ stub: { stderr = "" } }) =>
      stderr.trim() !== "" && seen.results[0]?.text.includes(stderr.trim())
    )
  )
}
