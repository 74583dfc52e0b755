/**
 * Sentences about what a person is asked and which rules they are offered.
 *
 * @since 0.1.0
 */
import { parseRule } from "../../../permission/rule/parseRule.ts"
import { check, type Checks } from "../Check.ts"
import type { Observation } from "../Observation.ts"

const shown = ({ questions }: Observation): string => questions[0]?.text ?? ""

const command = ({ case: { call: { input } } }: Observation): string =>
  typeof input === "object" && input !== null && "command" in input ? String(input.command) : ""

const offers = ({ decision }: Observation): ReadonlyArray<string> => decision?.suggestions ?? []

// What a terminal acts upon, hides or turns round.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\u2028\u2029\u115f\u1160\u3164\u2800]/u

const hidesNothing = (seen: Observation): boolean =>
  seen.questions.length > 0 && shown(seen).split("\n").every((row) => !unseen.test(row))

const spelled = (seen: Observation): boolean => {
  const marks = new Set(Array.from(command(seen)).filter((character) => unseen.test(character) && character !== "\n"))
  const forms: { readonly [character: string]: string } = {
    "\r": "<CR>",
    "\u001b": "<ESC>",
    "\t": "<TAB>",
    "\b": "<BS>"
  }
  return hidesNothing(seen) && [...marks].every((mark) => {
    const number = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
    // A row may end in the middle of a mark.
    const rows = shown(seen).replace(/\n\| ?/g, "")
    return rows.includes(forms[mark] ?? `U+${number}`) || rows.includes(`U+${number}`)
  })
}

/** Whether a rule that was offered covers the demand, as judged once it was saved. */
const coveredBy = (seen: Observation, demand: string, rule: string): boolean =>
  seen.offered?.judged.some((judged) =>
    judged.demand === demand && judged.candidates.some((one) => one.rule?.text === rule && one.matched === "yes")
  ) === true

const demands = (seen: Observation, permitted: boolean): ReadonlyArray<string> =>
  seen.explained?.judged.flatMap(({ demand, verdict }) => (verdict === "allow") === permitted ? [demand] : []) ?? []

const rewritten = (seen: Observation): string | undefined => {
  for (const { stub } of seen.case.given.hooks ?? []) {
    const found = /"updatedInput"\s*:\s*\{[^}]*"command"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(stub.stdout ?? "")?.[1]
    if (found !== undefined) return String(JSON.parse(found))
  }
  return undefined
}

const overlap = (seen: Observation): boolean =>
  seen.questions.some((one, index) =>
    seen.questions.slice(index + 1).some((two) => one.from < two.to && two.from < one.to)
  )

/**
 * @category checks
 * @since 0.1.0
 */
export const asking: Checks = {
  "no question is shown": check(({ questions }) => questions.length === 0),
  "questions are shown one at a time": check((seen) => seen.questions.length > 0 && !overlap(seen)),
  "the question shows npm test --silent": check((seen) => shown(seen).includes("npm test --silent")),
  "the question shows the new command": check((seen) => {
    const text = rewritten(seen)
    return text !== undefined && shown(seen).includes(text)
  }),
  "npm publish is in the text shown, or the text says how much is hidden and offers it": check((seen) =>
    /npm publish/.test(shown(seen)) || (seen.questions[0]?.hidden ?? 0) > 0 && /more rows/.test(shown(seen))
  ),
  "the text shown holds no raw escape character": check(hidesNothing),
  "the text shown holds the carriage return in a visible form": check(spelled),
  "the text shown holds the character in a visible form": check(spelled),
  "the text shown holds the marks in a visible form": check(spelled),
  "an offered rule is about python3, not about cd": check((seen) =>
    offers(seen).some((rule) => /\(python3\b/.test(rule)) && !offers(seen).some((rule) => /\(cd\b/.test(rule))
  ),
  "every offered rule can be parsed again": check((seen) =>
    offers(seen).every((rule) => {
      const { pattern, problems } = parseRule(rule, { behavior: "allow", source: "session" })
      return pattern !== undefined && problems.every(({ severity }) => severity !== "error")
    })
  ),
  "every offered rule covers this command or is not offered": check(
    (seen) => offers(seen).every((rule) => demands(seen, false).some((demand) => coveredBy(seen, demand, rule))),
    "offered"
  ),
  "the offered rule covers npm test": check(
    (seen) => offers(seen).some((rule) => coveredBy(seen, "npm test", rule)),
    "offered"
  ),
  "no rule is offered for the part that is allowed already": check(
    (seen) =>
      offers(seen).length > 0 &&
      !offers(seen).some((rule) => demands(seen, true).some((demand) => coveredBy(seen, demand, rule))),
    "offered"
  ),
  "no single rule for the whole chain is offered": check((seen) =>
    !offers(seen).some((rule) => rule.includes(command(seen)) || /\(.*(?:&&|\|\||;|\|).*\)/.test(rule))
  ),
  "no offered rule is made of a line of the message": check((seen) => {
    const lines = command(seen).split("\n").slice(1).map((line) => line.trim()).filter((line) => line.length > 2)
    return !offers(seen).some((rule) => lines.some((line) => rule.includes(`(${line.split(" ", 1)[0] ?? line}`)))
  }),
  "no prefix rule that begins with bash is offered": check((seen) =>
    !offers(seen).some((rule) => /^Bash\((?:bash|sh)\b.*(?:\*|:\*)\)$/.test(rule))
  ),
  "the popup does not offer a rule that would have no effect, or says so": check(
    (seen) => offers(seen).length === 0 || seen.offered?.verdict === "allow",
    "offered"
  )
}
