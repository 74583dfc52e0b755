import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import type { Word } from "../../../src/domain/ShellCommand.ts"
import { matchCommand } from "../../../src/permission/rule/matchCommand.ts"
import { parseRule } from "../../../src/permission/rule/parseRule.ts"
import { harmlessPrefixes } from "../../../src/permission/rule/prefixes.ts"
import { printRule } from "../../../src/permission/rule/printRule.ts"
import { type Part, suggest, suggestPart } from "../../../src/permission/rule/suggest.ts"
import { place } from "../path/place.ts"
import { word, words } from "./word.ts"

const command = (line: ReadonlyArray<Word>, exactOnly = false): Part => ({
  _tag: "Command",
  command: { words: line, exactOnly }
})
const offered = (line: string | ReadonlyArray<Word>, exactOnly = false): ReadonlyArray<string> =>
  suggest([command(typeof line === "string" ? words(line) : line, exactOnly)], place())
const file = (access: "read" | "edit", written: string, kind: "file" | "directory" = "file"): ReadonlyArray<string> =>
  suggest([{ _tag: "File", access, path: { written, real: [], kind } }], place())

describe("suggest", () => {
  const vectors: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["npm test", ["Bash(npm test *)"]],
    ["npm test -- --watch", ["Bash(npm test *)"]],
    ["npm run build:prod --silent", ["Bash(npm run build:prod *)"]],
    ["git commit -m x", ["Bash(git commit *)"]],
    ["git push origin main", ["Bash(git push origin main)"]],
    ["git -C /x commit", ["Bash(git -C /x commit)"]],
    ["gh pr view 12", ["Bash(gh pr view *)"]],
    ["gh pr merge 12", ["Bash(gh pr merge 12)"]],
    ["mkdir -p a/b", ["Bash(mkdir *)"]],
    ["rm -rf build", ["Bash(rm -rf build)"]],
    ["npm install left-pad", ["Bash(npm install left-pad)"]],
    ["python3 x.py", ["Bash(python3 x.py)"]],
    ["./deploy.sh", ["Bash(./deploy.sh)"]],
    ["bash", []],
    ["sh -s", []],
    ["sh -", []],
    ["python3", []],
    ["xargs", []],
    ["rm …", []],
    ["… x", []],
    ["npm test …", ["Bash(npm test *)"]]
  ]
  for (const [line, expected] of vectors) {
    it(`offers ${expected[0] ?? "nothing"} for \`${line}\``, () => assert.deepStrictEqual(offered(line), expected))
  }

  it("escapes what would be a gap or a parenthesis", () => {
    const find = [word("find"), word("."), word("-name"), word("*.tmp", "'"), word("-delete")]
    assert.deepStrictEqual(offered(find, true), ["Bash(find . -name '\\*.tmp' -delete)"])
    assert.deepStrictEqual(offered([word("node"), word("-e"), word("f(1)", "'")]), ["Bash(node -e 'f\\(1\\)')"])
  })

  it("a command that only an exact rule may cover gets one", () => {
    assert.deepStrictEqual(offered("mkdir x", true), ["Bash(mkdir x)"])
  })

  it("offers the file itself, and all of a folder", () => {
    assert.deepStrictEqual(file("edit", "/repo/src/a.ts"), ["Edit(//repo/src/a.ts)"])
    assert.deepStrictEqual(file("read", "/data/ref", "directory"), ["Read(//data/ref/**)"])
    assert.deepStrictEqual(file("edit", "/repo/[id] (1)/a*.ts"), ["Edit(//repo/\\[id\\] (1)/a\\*.ts)"])
    assert.deepStrictEqual(file("edit", "/repo/.git/config"), [])
    assert.deepStrictEqual(file("read", "/", "directory"), [])
  })

  it("offers nothing for a link, since no rule for the one name covers the other", () => {
    const part: Part = { _tag: "File", access: "read", path: { written: "/repo/key", real: ["/etc/key"] } }
    assert.isUndefined(suggestPart(part, place()))
  })

  it("offers the host, the tool and the name", () => {
    assert.deepStrictEqual(suggest([{ _tag: "Url", url: "https://Docs.Example.com:8443/x" }], place()), [
      "WebFetch(domain:docs.example.com)"
    ])
    assert.deepStrictEqual(suggest([{ _tag: "Tool", tool: "mcp__db__query" }], place()), ["mcp__db__query"])
    assert.deepStrictEqual(suggest([{ _tag: "Name", tool: "Agent", name: "Explore" }], place()), ["Agent(Explore)"])
    assert.deepStrictEqual(suggest([{ _tag: "Name", tool: "Agent", name: "a,b" }], place()), [])
  })

  it("offers one rule a part, five at most, and all or none", () => {
    const parts = (count: number) => Array.from({ length: count }, (_, index) => command(words(`./run ${index}`)))
    assert.strictEqual(suggest(parts(5), place()).length, 5)
    assert.deepStrictEqual(suggest(parts(6), place()), [])
    assert.deepStrictEqual(suggest([...parts(1), command(words("bash"))], place()), [])
    assert.strictEqual(suggest([command(words("npm test")), command(words("npm test x"))], place()).length, 1)
  })

  it("no beginning on the list is a program that runs whatever it is given", () => {
    for (
      const program of ["bash", "sh", "python", "node", "rm", "find", "curl", "xargs", "sudo", "npx", "make", "env"]
    ) {
      assert.isFalse(harmlessPrefixes.some((prefix) => prefix.split(" ")[0] === program), program)
    }
  })

  const texts = Schema.Literals([
    "npm",
    "test",
    "run",
    "git",
    "commit",
    "mkdir",
    "rm",
    "-rf",
    "*",
    "(x)",
    "a b",
    "\\",
    "$y",
    "",
    "'",
    "…",
    "a…",
    "[a]",
    "~",
    "{a,b}"
  ])
  const line = Arbitrary.array(
    Arbitrary.map(
      Arbitrary.all([Arbitrary.schema(texts), Arbitrary.schema(Schema.Literals(["", "\"", "'"]))]),
      ([text, quote]) => word(text, quote === "'" && text.includes("'") ? "\"" : quote)
    ),
    { minLength: 1, maxLength: 5 }
  )

  it.prop("what is offered covers the call and reads back as itself", { line }, ({ line }) => {
    for (const rule of offered(line)) {
      const { pattern } = parseRule(rule, { behavior: "allow", source: "localSettings" })
      assert.strictEqual(pattern?.specifier._tag, "Command")
      if (pattern?.specifier._tag !== "Command") return
      assert.strictEqual(matchCommand(pattern.specifier, line), "yes")
      assert.strictEqual(printRule(pattern), rule)
    }
  }, { arbitrary: { runs: 1000 } })

  it.prop("an exact offer covers nothing else", { line, other: line }, ({ line, other }) => {
    const same = JSON.stringify(line.map(({ value }) => value)) === JSON.stringify(other.map(({ value }) => value))
    for (const rule of offered(line, true)) {
      const specifier = parseRule(rule, { behavior: "allow", source: "localSettings" }).pattern?.specifier
      if (specifier?._tag !== "Command" || same) continue
      const written = line.map(({ source }) => source).join(" ") === other.map(({ source }) => source).join(" ")
      assert.isTrue(written || matchCommand(specifier, other) !== "yes")
    }
  }, { arbitrary: { runs: 1000 } })
})
