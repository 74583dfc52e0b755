import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { Behavior } from "../../../src/domain/Rule.ts"
import type { Word } from "../../../src/domain/ShellCommand.ts"
import { programOf } from "../../../src/permission/rule/compileCommand.ts"
import { type CommandPattern, matchCommand, spellsLine, spellsOut } from "../../../src/permission/rule/matchCommand.ts"
import { parseRule } from "../../../src/permission/rule/parseRule.ts"
import { escapePiece } from "../../../src/permission/rule/pieces.ts"
import { processorMillis } from "../../support/processorMillis.ts"
import { word, words } from "./word.ts"

const pattern = (text: string): CommandPattern => {
  const { specifier } = parseRule(`Bash(${text})`, { behavior: "allow", source: "session" }).pattern ?? {}
  if (specifier?._tag !== "Command") throw new Error(`no command pattern: ${text}`)
  return specifier
}

const match = (text: string, line: string | ReadonlyArray<Word>, behavior: Behavior = "allow") =>
  matchCommand(pattern(text), typeof line === "string" ? words(line) : line, behavior)

const vectors: ReadonlyArray<readonly [rule: string, command: string, expected: "yes" | "no"]> = [
  ["npm run build", "npm run build", "yes"],
  ["npm run build", "npm run build -x", "no"],
  ["npm run build.prod", "npm run buildXprod", "no"],
  ["deploy [abc]", "deploy a", "no"],
  ["ls *", "ls", "yes"],
  ["ls *", "ls -la", "yes"],
  ["ls *", "lsof", "no"],
  ["ls:*", "ls -la", "yes"],
  ["ls:*", "lsx -i", "no"],
  ["ls*", "lsof", "yes"],
  ["* install", "npm install", "yes"],
  ["* install", "npm install x", "no"],
  ["git * main", "git push origin main", "yes"],
  ["git * main", "git main", "no"],
  ["* --version", "node --version", "yes"],
  ["grep * /etc/*", "grep root /etc/passwd", "yes"],
  ["deploy env-*", "deploy env-1/sub", "yes"],
  ["git -C * show:*", "git -C /x show", "yes"],
  ["git -C * show:*", "git -C /x show HEAD", "yes"],
  ["git -C * show:*", "git -C /x showx", "no"],
  ["git push --force*", "git push --force-with-lease", "yes"],
  ["npm run test:*", "npm run test:unit", "no"],
  ["npm run test:unit", "npm run test:unit", "yes"],
  ["  npm   test  ", "npm test", "yes"],
  ["echo \\*", "echo *", "yes"],
  ["echo \\*", "echo x", "no"]
]

describe("matchCommand", () => {
  for (const [rule, command, expected] of vectors) {
    it(`\`${rule}\` ${expected === "yes" ? "covers" : "leaves out"} \`${command}\``, () => {
      assert.strictEqual(match(rule, command), expected)
      assert.strictEqual(match(rule, command, "deny"), expected)
    })
  }

  it("only a gap covers what is unknown", () => {
    assert.strictEqual(match("rm *", "rm $…"), "yes")
    assert.strictEqual(match("rm *", "rm …"), "yes")
    assert.strictEqual(match("rm -rf *", "rm …"), "maybe")
    assert.strictEqual(match("rm -rf *", "rm -r …"), "no")
    assert.strictEqual(match("rm x", "rm …"), "maybe")
    assert.strictEqual(match("echo a…", "echo a"), "no")
    assert.strictEqual(match("git push *", "git …"), "maybe")
    assert.strictEqual(match("git push *", "npm …"), "no")
    assert.strictEqual(match("* --force", "git push … origin"), "no")
    assert.strictEqual(match("* --force", "git push …"), "maybe")
  })

  it("a word that may vanish takes its blank along", () => {
    assert.strictEqual(match("a * b", "a … b"), "maybe")
    assert.strictEqual(match("a* b", "a … b"), "yes")
    assert.strictEqual(match("a b", "a … b"), "maybe")
    assert.strictEqual(match("a * b", [word("a"), word("…", "\""), word("b")]), "yes")
  })

  it("a program whose name is not certain is at most possible", () => {
    assert.strictEqual(match("* -rf *", "… -rf build"), "maybe")
    assert.strictEqual(match("rm *", "… -rf build", "deny"), "maybe")
    assert.strictEqual(match("rm *", "r… -rf build", "deny"), "maybe")
    assert.strictEqual(match("rm *", "git… -rf build", "deny"), "no")
  })

  it("a blank inside a word separates nothing for allow and hides nothing from deny", () => {
    const command = [word("git"), word("commit x", "\"")]
    assert.strictEqual(match("git commit *", command), "no")
    assert.strictEqual(match("git commit *", command, "deny"), "yes")
    assert.strictEqual(match("git *", command), "yes")
    assert.strictEqual(match("git commit x", command), "no")
    assert.strictEqual(match("git commit x", command, "ask"), "yes")
  })

  it("a pattern with quotes is compared as written and as the shell sees it", () => {
    const plain = [word("git"), word("commit"), word("-m"), word("fix: x", "\"")]
    const other = [word("git"), word("commit"), word("-m"), word("fix: x", "'")]
    for (const command of [plain, other]) {
      assert.strictEqual(match("git commit -m \"fix: x\"", command), "yes")
      assert.strictEqual(match("git commit -m 'fix: x'", command), "yes")
      assert.strictEqual(match("git commit -m \"fix: *\"", command), "yes")
      assert.strictEqual(match("git commit -m fix:\\ x", command), "yes")
      assert.strictEqual(match("git commit -m fix: x", command), "no")
    }
    assert.strictEqual(match("echo \"$x\"", [word("echo"), word("…", "\"")]), "yes")
    assert.strictEqual(match("echo \"$x\"", [word("echo"), word("$x", "'")]), "no")
  })

  it("an empty word is a word", () => {
    assert.strictEqual(match("git push *", [word("git"), word("", "\""), word("push")]), "no")
  })

  it("a rule with thousands of gaps is held against a long command at once", () => {
    const rule = pattern(`x ${"a*".repeat(10_000)}b`)
    const line = words(`x ${"a".repeat(50_000)}`)
    assert.isBelow(processorMillis(() => assert.strictEqual(matchCommand(rule, line), "no")), 30_000)
  })

  it("spelling out compares stars with stars", () => {
    const find = [word("find"), word("."), word("-name"), word("*.tmp", "'"), word("-delete")]
    assert.isTrue(spellsOut(pattern("find . -name '*.tmp' -delete"), find))
    assert.isTrue(spellsOut(pattern("find . -name '\\*.tmp' -delete"), find))
    assert.isFalse(spellsOut(pattern("find . -name *"), find))
    assert.isFalse(spellsOut(pattern("find *"), find))
    assert.isTrue(spellsOut(pattern("watch ls"), words("watch ls")))
    assert.isFalse(spellsOut(pattern("watch *"), words("watch *")))
  })

  it("knows the program that a pattern begins with, where it is certain", () => {
    const programs = ["git *", "git log", "git", "git*", "* x", "g* x", "'git' x", "git -C * show"].map((text) =>
      programOf(pattern(text))
    )
    assert.deepStrictEqual(programs, ["git", "git", "git", undefined, undefined, undefined, undefined, "git"])
  })

  it("an exact rule may spell a whole line", () => {
    assert.isTrue(spellsLine(pattern("cd app && make"), "cd app && make\n"))
    assert.isFalse(spellsLine(pattern("cd app && *"), "cd app && make"))
  })
})

const texts = Schema.Literals(["a", "b", "ab", "a b", "", "-x", "…", "a…", "…b", "a…b"])
const quotes = Schema.Literals(["", "\"", ""])
const line = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.all([Arbitrary.schema(texts), Arbitrary.schema(quotes)]),
    ([text, quote]) => word(text, quote)
  ),
  { minLength: 1, maxLength: 4 }
)
const rules = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", " ", "*", " *", "-x", "a "])), {
    minLength: 1,
    maxLength: 6
  }),
  (parts) => `a${parts.join("")}`
)
const openRules = Arbitrary.map(rules, (text) => `*${text}`)
const contents: ReadonlyArray<string> = ["", "a", "b", "a b", "-x", "zz"]

/** What a line may become once running it has told the unknown. */
const outcomes = (line: ReadonlyArray<Word>, content: string): ReadonlyArray<Word> =>
  line.flatMap((each) => {
    if (each.value !== undefined) return [each]
    const text = each.known.join(content)
    return each.splits
      ? text.split(" ").filter((part) => part !== "").map((part) => word(part, ""))
      : [word(text, "\"")]
  })

const holds = (rule: string, line: ReadonlyArray<Word>, behavior: Behavior): void => {
  const compiled = pattern(rule)
  const before = matchCommand(compiled, line, behavior)
  for (const content of contents) {
    const after = outcomes(line, content)
    if (after.length === 0) continue
    const outcome = matchCommand(compiled, after, behavior)
    if (before !== "maybe") assert.strictEqual(outcome, before, JSON.stringify([rule, line, after]))
  }
}

describe("matchCommand, whatever the unknown turns out to be", () => {
  it.prop("yes holds for every outcome, no for none", { rules, openRules, line, behavior: Behavior }, (drawn) => {
    for (const rule of [drawn.rules, drawn.openRules]) holds(rule, drawn.line, drawn.behavior)
  }, { arbitrary: { runs: 1000 } })

  it.prop("a command that a pattern matches begins with the pattern's program", { rules, line }, ({ line, rules }) => {
    const program = programOf(pattern(rules))
    const [first] = line
    if (program === undefined || first?.value === undefined || matchCommand(pattern(rules), line, "deny") === "no") {
      return
    }
    assert.strictEqual(first.value.split(" ")[0], program)
  }, { arbitrary: { runs: 1000 } })

  it.prop("deny reaches at least as far as allow", { rules, line }, ({ line, rules }) => {
    if (matchCommand(pattern(rules), line, "allow") === "yes") {
      assert.strictEqual(matchCommand(pattern(rules), line, "deny"), "yes")
    }
  }, { arbitrary: { runs: 1000 } })

  it.prop("a plain text matches itself, escaped", { text: Schema.String }, ({ text }) => {
    const single = text.replace(/[\s"'`$\\\u0000]/g, "") || "x"
    assert.strictEqual(matchCommand({ _tag: "Command", pieces: [single], boundary: false }, [word(single)]), "yes")
    assert.strictEqual(match(escapePiece(`x ${single}`), [word("x"), word(single)]), "yes")
  })
})
