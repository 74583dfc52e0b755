import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Verdict } from "../../src/domain/Decision.ts"
import { silent } from "../../src/domain/Hook.ts"
import type { Policy } from "../../src/domain/Policy.ts"
import type { RuleSource } from "../../src/domain/Rule.ts"
import type { OneSubject } from "../../src/domain/Subject.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { readLine } from "../../src/permission/bash/readLine.ts"
import { isReadOnly } from "../../src/permission/bash/readOnly/isReadOnly.ts"
import { decide } from "../../src/permission/decide.ts"
import { demandsOf } from "../../src/permission/demandsOf.ts"
import type { Evidence } from "../../src/permission/Evidence.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { context } from "../support/services.ts"
import { place } from "./path/place.ts"

const here = place()

type Texts = {
  readonly [Source in RuleSource]?: {
    readonly allow?: Array<string>
    readonly ask?: Array<string>
    readonly deny?: Array<string>
  }
}

const policyOf = (texts: Texts, more: Partial<Policy> = {}): Policy =>
  Effect.runSync(
    Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(
      Effect.provide(RuleSourcesLayers.layerMemory({ texts, ...more }))
    )
  )

const evidence = (tool: string, subject: OneSubject, texts: Texts, changes: Partial<Evidence> = {}): Evidence => {
  const line = subject._tag === "Shell" ? readLine(subject.command) : undefined
  const demands = demandsOf(tool, subject, line, here)
  return {
    tool,
    needsPerson: false,
    hook: silent,
    mode: "default",
    policy: policyOf(texts),
    place: here,
    effective: { input: {}, ask: undefined, opinion: { _tag: "NoOpinion" }, demands },
    original: undefined,
    resolved: new Map(
      demands.flatMap((demand) =>
        (demand._tag === "File" || demand._tag === "Folder") && demand.path !== undefined
          ? [[demand.path, { written: demand.path, real: [], kind: "file" as const }] as const]
          : []
      )
    ),
    expanded: new Map(),
    below: new Map(),
    readOnly: isReadOnly,
    ...changes
  }
}

const bash = (command: string, texts: Texts, changes: Partial<Evidence> = {}) =>
  decide(evidence("Bash", { _tag: "Shell", command }, texts, changes))

describe("decide", () => {
  it("a host that can't be read is covered by no allow rule and asked about by a deny rule", () => {
    const fetch = (texts: Texts) => decide(evidence("WebFetch", { _tag: "Url", url: "http://[bad" }, texts))
    assert.strictEqual(fetch({ session: { allow: ["WebFetch(domain:example.com)"] } }).verdict, "ask")
    assert.strictEqual(
      fetch({ session: { allow: ["WebFetch"], deny: ["WebFetch(domain:example.com)"] } }).verdict,
      "ask"
    )
  })

  it("only a person may answer where a mode holds back, and the mode says so", () => {
    const decision = bash("touch a", { session: { allow: ["Bash(touch *)"] } }, { mode: "plan" })
    assert.deepStrictEqual([decision.verdict, decision.mustAsk, decision.by], ["ask", true, "mode"])
  })

  it("dontAsk denies what would be asked, and still lets allow rules and reading through", () => {
    const mode = { mode: "dontAsk" } as const
    assert.strictEqual(bash("npm publish", {}, mode).verdict, "deny")
    assert.strictEqual(
      bash("npm publish", { session: { ask: ["Bash(npm *)"], allow: ["Bash"] } }, mode).verdict,
      "deny"
    )
    assert.strictEqual(bash("npm test", { session: { allow: ["Bash(npm test)"] } }, mode).verdict, "allow")
    assert.strictEqual(bash("git status", {}, mode).verdict, "allow")
  })

  it("bypassPermissions lets everything through but denies, asks and the removal of critical paths", () => {
    const mode = { mode: "bypassPermissions" } as const
    assert.strictEqual(bash("npm publish", {}, mode).verdict, "allow")
    assert.strictEqual(bash("echo x > .git/config", {}, mode).verdict, "allow")
    assert.strictEqual(bash("rm -rf /", {}, mode).verdict, "ask")
    assert.strictEqual(bash("npm publish", { session: { ask: ["Bash(npm publish)"] } }, mode).verdict, "ask")
    assert.strictEqual(bash("npm publish", { session: { deny: ["Bash(npm publish)"] } }, mode).verdict, "deny")
  })

  it("no mode lets a critical path be removed by another name or program", () => {
    const mode = { mode: "bypassPermissions" } as const
    for (const line of ["mv /etc /tmp/x", "mv ~ /tmp/x", "rm -rf /usr", "find / -delete", "find -- / -delete"]) {
      assert.strictEqual(bash(line, {}, mode).verdict, "ask", line)
    }
  })

  it("where names ignore case, a deny rule knows its program however it is written", () => {
    const texts = { session: { allow: ["Bash"], deny: ["Bash(rm *)"] } }
    const mac = place({ platform: "darwin", caseInsensitive: true })
    assert.strictEqual(bash("RM -rf x", texts, { place: mac }).verdict, "deny")
    assert.strictEqual(bash("RM -rf x", texts).verdict, "allow")
  })

  it("acceptEdits lets edits inside the working directories through", () => {
    const mode = { mode: "acceptEdits" } as const
    const edit = (path: string) => decide(evidence("Edit", { _tag: "File", access: "edit", path }, {}, mode)).verdict
    assert.strictEqual(edit("src/a.ts"), "allow")
    assert.strictEqual(edit("/etc/hosts"), "ask")
    assert.strictEqual(edit(".git/config"), "ask")
    assert.strictEqual(bash("mkdir -p a && touch a/b", {}, mode).verdict, "allow")
    assert.strictEqual(bash("rm /tmp/x", {}, mode).verdict, "ask")
    assert.strictEqual(bash("npm test", {}, mode).verdict, "ask")
  })

  it("an allow rule that is about one end of a link alone says so", () => {
    const path = "/repo/etc/passwd"
    const resolved = new Map([[path, { written: path, real: ["/etc/passwd"], kind: "file" as const }]])
    const why = (rule: string) =>
      decide(
        evidence("Read", { _tag: "File", access: "read", path }, { session: { allow: [rule] } }, { resolved })
      ).judged[0]?.candidates.find(({ by }) => by === "rule")?.why
    assert.strictEqual(why("Read(etc/**)"), "it is about the path as written, and not about where that leads")
    assert.strictEqual(why("Read(//etc/**)"), "it is about where the path leads, and not about the path as written")
    assert.strictEqual(why("Read(//**/passwd)"), "the path matches")
    assert.strictEqual(why("Read(//usr/**)"), "the path differs")
  })

  it("a person is offered rules only where nothing must be asked", () => {
    assert.deepStrictEqual(bash("npm test", {}).suggestions, ["Bash(npm test *)"])
    assert.deepStrictEqual(bash("npm test", { session: { ask: ["Bash(npm *)"] } }).suggestions, [])
    assert.deepStrictEqual(bash("rm -rf /", {}).suggestions, [])
  })

  it("nothing is offered for what only a rule for a whole tool could allow", () => {
    const offered = (tool: string, subject: OneSubject) => decide(evidence(tool, subject, {})).suggestions
    const line = { _tag: "Shell", command: "npm test" } as const
    const address = { _tag: "Url", url: "https://example.com/" } as const
    assert.deepStrictEqual([...offered("Remote", line), ...offered("Remote", address)], [])
    assert.deepStrictEqual([...offered("Bash", line), ...offered("WebFetch", address)], [
      "Bash(npm test *)",
      "WebFetch(domain:example.com)"
    ])
    const whole = { session: { allow: ["Remote"] } }
    for (const subject of [line, address]) {
      assert.strictEqual(decide(evidence("Remote", subject, whole)).verdict, "allow")
    }
  })

  it("a person is warned of what a call would destroy", () => {
    assert.isDefined(bash("git reset --hard", {}).warning)
    assert.isUndefined(bash("npm test", {}).warning)
  })

  it("every part of a line is judged, and the strictest verdict is the call's", () => {
    const decision = bash("git status && npm publish; rm x", { session: { deny: ["Bash(rm *)"] } })
    assert.deepStrictEqual(
      decision.judged.filter(({ demand }) => !demand.includes(" x") || demand.startsWith("rm")).map((
        { demand, verdict }
      ) => [demand, verdict]),
      [["git status", "allow"], ["npm publish", "ask"], ["rm x", "deny"]]
    )
    assert.strictEqual(decision.verdict, "deny")
  })

  it.prop("what a parameter rule denies is denied whatever the mode", {
    mode: Schema.Literals(["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"]),
    model: Schema.Literals(["opus", "haiku"])
  }, ({ mode, model }) => {
    const given = evidence("Agent", { _tag: "Agent", name: "Explore" }, {
      userSettings: { deny: ["Agent(model:opus)"] }
    }, { mode })
    const decision = decide({ ...given, effective: { ...given.effective, input: { model } } })
    assert.isTrue(Schema.is(Verdict)(decision.verdict))
    assert.strictEqual(decision.verdict === "deny" && decision.by === "rule", model === "opus")
  })
})
