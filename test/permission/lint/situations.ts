/** Rules and calls over a few words, so that they meet often, and the evidence to decide by. */
import type { PermissionMode } from "../../../src/domain/CallContext.ts"
import { type HookOutcome, silent } from "../../../src/domain/Hook.ts"
import type { Policy } from "../../../src/domain/Policy.ts"
import type { ResolvedPath } from "../../../src/domain/ResolvedPath.ts"
import { Behavior, type Rule, type RuleSource } from "../../../src/domain/Rule.ts"
import type { Word } from "../../../src/domain/ShellCommand.ts"
import type { OneSubject } from "../../../src/domain/Subject.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { isReadOnly } from "../../../src/permission/bash/readOnly/isReadOnly.ts"
import { decide } from "../../../src/permission/decide.ts"
import { demandsOf } from "../../../src/permission/demandsOf.ts"
import type { Evidence } from "../../../src/permission/Evidence.ts"
import { parseRule } from "../../../src/permission/rule/parseRule.ts"
import { place } from "../path/place.ts"

/** Numbers from a seed, always the same. */
export const drawing = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const of = <A>(list: readonly [A, ...ReadonlyArray<A>]): A => list[below(list.length)] ?? list[0]
  return { below, of }
}

export type Draw = ReturnType<typeof drawing>

export const ruleOf = (text: string, behavior: Behavior, source: RuleSource = "userSettings", line = 1): Rule => {
  const { pattern } = parseRule(text, { behavior, source })
  if (pattern === undefined) throw new Error(`no rule: ${text}`)
  return { behavior, text, pattern, origin: { source, file: `/${source}`, line, column: 1 }, base: "/repo" }
}

const programs = [
  "git",
  "git push",
  "git push x",
  "npm test",
  "rm",
  "rm -rf",
  "cat",
  "timeout 5",
  "find . -delete"
] as const
const files = ["src", "src/a", "a.key", ".env", "src/a/.env"] as const

const shellRule = ({ of }: Draw): string => {
  const program = of(programs)
  return of([
    `Bash(${program})`,
    `Bash(${program} *)`,
    `Bash(${program}:*)`,
    `Bash(${program}*)`,
    `Bash(* ${of(["x", "push", "--force"])})`,
    `Bash(${program} * ${of(["x", "--force"])})`,
    `Bash(${program} ${of(files)})`,
    `Bash(rm *.key)`,
    `Bash(touch src/a/x)`,
    `Bash(touch ${of(["*", "/etc/x", "src/*"])})`,
    `Bash(npm test && rm x)`,
    "Bash",
    "Bash(run_in_background:true)",
    "Bash(run_in_background:*)"
  ])
}

const fileRule = ({ of }: Draw): string => {
  const tool = of(["Read", "Edit"])
  const file = of(files)
  return of([
    tool,
    `${tool}(${file})`,
    `${tool}(${file}/**)`,
    `${tool}(/${file}/**)`,
    `${tool}(./${file})`,
    `${tool}(**/${file})`,
    `${tool}(//repo/${file}/**)`,
    `${tool}(//**)`,
    `${tool}(*.key)`,
    `${tool}(src/*.key)`,
    `${tool}(src/**/.env)`
  ])
}

const otherRule = ({ of }: Draw): string =>
  of([
    "WebFetch",
    "WebFetch(domain:example.com)",
    "WebFetch(domain:*.example.com)",
    "WebFetch(domain:a.example.com)",
    "WebFetch(domain:*.a.example.com)",
    "Agent(one)",
    "Agent(o*)",
    "Agent",
    "mcp__s",
    "mcp__s__*",
    "mcp__s__get_*",
    "mcp__s__get_a"
  ])

const sources = ["userSettings", "projectSettings", "policySettings"] as const

export const drawRules = (draw: Draw): ReadonlyArray<Rule> => {
  const kind = draw.of([shellRule, shellRule, fileRule, otherRule, (all: Draw) => draw.of([shellRule, fileRule])(all)])
  return Array.from({ length: 2 + draw.below(6) }, (_, line) => {
    const behavior = draw.of(Behavior.literals)
    const text = behavior !== "allow" && draw.below(20) === 0 ? draw.of(["*", "mcp__*"]) : kind(draw)
    const { pattern } = parseRule(text, { behavior, source: "userSettings" })
    return pattern === undefined || pattern.specifier._tag === "Inert"
      ? ruleOf("Bash(true)", behavior, "userSettings", line)
      : ruleOf(text, behavior, draw.of(sources), line)
  })
}

export interface Calling {
  readonly tool: string
  readonly input: { readonly [key: string]: unknown }
  readonly subject: OneSubject
}

const command = (draw: Draw): string => {
  const { below, of } = draw
  const program = of([...programs, "touch", "ls", "git log"])
  const tail = Array.from(
    { length: below(3) },
    () =>
      of([
        ...files,
        "x",
        "--force",
        "push",
        "*.key",
        "*",
        "src/*",
        "$x",
        "'a b'",
        "\"git push\"",
        "src/a/x",
        "/etc/x",
        "~/x"
      ])
  )
  const redirect = below(5) === 0 ? of([" > src/a/x", " > /etc/x", " < a.key", " 2>/dev/null"]) : ""
  return `${of(["", "", "", "FOO=1 ", "NODE_ENV=x ", "timeout 5 ", "sudo ", "xargs "])}${
    [program, ...tail].join(" ")
  }${redirect}`
}

const line = (draw: Draw): string => {
  const { below, of } = draw
  const parts = Array.from({ length: 1 + below(2) }, () => command(draw)).join(of([" && ", "; ", " | ", "\n"]))
  return of([
    parts,
    parts,
    parts,
    `bash -c '${parts.replaceAll("'", "")}'`,
    `$(${parts})`,
    `$x ${parts}`,
    `cd src && ${parts}`,
    `if ${parts}`
  ])
}

export const drawCall = (draw: Draw): Calling => {
  const { below, of } = draw
  const path = of([
    "/repo/src",
    "/repo/src/a",
    "/repo/src/a/.env",
    "/repo/.env",
    "/repo/a.key",
    "/repo/src/b.key",
    "/etc/x"
  ])
  const url = of([
    "https://example.com",
    "https://a.example.com/x",
    "http://b.a.example.com",
    "https://other.test",
    "::"
  ])
  const agent = of(["one", "o", "two", "one more"])
  return of<Calling>([
    ...Array.from({ length: 5 }, (): Calling => {
      const text = line(draw)
      const input = { command: text, ...(below(4) === 0 ? { run_in_background: true } : {}) }
      return { tool: "Bash", input, subject: { _tag: "Shell", command: text } }
    }) as [Calling, ...Array<Calling>], // Its length is written above.
    { tool: "Read", input: {}, subject: { _tag: "File", access: "read", path } },
    { tool: "Edit", input: {}, subject: { _tag: "File", access: "edit", path } },
    { tool: "Write", input: {}, subject: { _tag: "File", access: "edit", path } },
    { tool: "NotebookEdit", input: {}, subject: { _tag: "File", access: "edit", path } },
    { tool: "Grep", input: {}, subject: { _tag: "Search", path } },
    { tool: "WebFetch", input: {}, subject: { _tag: "Url", url } },
    { tool: "Agent", input: {}, subject: { _tag: "Agent", name: agent } },
    { tool: of(["mcp__s__get_a", "mcp__s__put", "mcp__t__x"]), input: {}, subject: { _tag: "Plain" } }
  ])
}

export const drawMode = ({ of }: Draw): PermissionMode =>
  of(["default", "default", "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"])

export const drawHook = ({ below, of }: Draw): HookOutcome =>
  below(4) > 0 ? silent : { ...silent, decision: "allow", allowsInput: true, name: "h", source: of(sources) }

export const policyOf = (rules: ReadonlyArray<Rule>, more: Partial<Policy> = {}): Policy => ({
  rules,
  hooks: [],
  diagnostics: [],
  unreadable: [],
  mode: "default",
  directories: [],
  hookAllow: "skips",
  trusted: true,
  projectRoot: "/repo",
  settingsFiles: [],
  graceMillis: 0,
  ...more
})

export const evidenceOf = (
  { input, subject, tool }: Calling,
  policy: Policy,
  hook: HookOutcome = silent
): Evidence => {
  const here = place()
  const demands = demandsOf(tool, subject, subject._tag === "Shell" ? readLine(subject.command) : undefined, here)
  const resolved = new Map<string, ResolvedPath>()
  const expanded = new Map<Word, ReadonlyArray<string>>()
  const resolve = (path: string) =>
    // One folder is a link, so that what is written and what is meant differ.
    resolved.set(path, { written: path, real: [path.replace("/repo/src/a", "/repo/linked")], kind: "file" })
  for (const demand of demands) {
    if (demand._tag !== "File" && demand._tag !== "Folder") continue
    if (demand.path !== undefined) resolve(demand.path)
    else if (demand._tag === "File" && demand.word?.glob === true && demand.word.source === "*.key") {
      expanded.set(demand.word, ["/repo", "/repo/a.key"])
      for (const path of ["/repo", "/repo/a.key"]) resolve(path)
    }
  }
  return {
    tool,
    server: /^mcp__(.+?)__/.exec(tool)?.[1],
    needsPerson: false,
    hook,
    mode: policy.mode,
    policy,
    place: here,
    effective: { input, ask: undefined, opinion: { _tag: "NoOpinion" }, demands },
    original: undefined,
    resolved,
    expanded,
    below: new Map(),
    readOnly: isReadOnly
  }
}

/** What of a decision somebody who runs the call notices. */
export const outcome = (call: Calling, policy: Policy, hook?: HookOutcome): string => {
  const { mustAsk, suggestions, verdict } = decide(evidenceOf(call, policy, hook))
  return JSON.stringify({ verdict, mustAsk, suggestions })
}
