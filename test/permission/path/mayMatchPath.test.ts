import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import type { Word } from "../../../src/domain/ShellCommand.ts"
import { compilePath } from "../../../src/permission/path/compilePath.ts"
import { matchPath } from "../../../src/permission/path/matchPath.ts"
import { mayMatchPath } from "../../../src/permission/path/mayMatchPath.ts"
import { normalise } from "../../../src/permission/path/normalise.ts"
import type { PathMatcher } from "../../../src/permission/path/PathMatcher.ts"
import { parseRule } from "../../../src/permission/rule/parseRule.ts"
import { place } from "./place.ts"

const deny = (rule: string): PathMatcher => {
  const { pattern } = parseRule(rule, { behavior: "deny", source: "projectSettings" })
  const matcher = pattern === undefined ? undefined : compilePath({ behavior: "deny", pattern, base: "/repo" }, place())
  if (matcher === undefined) throw new Error(`no path rule: ${rule}`)
  return matcher
}

/** A word with `*` for a glob and `$` for a variable. */
const word = (text: string): Pick<Word, "known" | "glob" | "source"> => {
  const [first = "", ...rest] = text.split(/[*$]/)
  return { source: text, known: [first, ...rest], glob: text.includes("*") }
}

const may = (rule: string, text: string, directory: string | undefined = "/repo"): boolean =>
  mayMatchPath(deny(rule), word(text), directory)

describe("mayMatchPath", () => {
  it("a glob may turn out to be the denied name", () => {
    assert.isTrue(may("Read(.env)", ".e*"))
    assert.isTrue(may("Read(.env)", "*"))
    assert.isTrue(may("Read(.env)", "a/*/.env"))
    assert.isTrue(may("Read(.env)", "$"))
    assert.isTrue(may("Read(.env)", "src/$"))
    assert.isTrue(may("Read(~/.ssh/**)", "src/$"))
    assert.isTrue(may("Read(./secrets/**)", "s*/key.pem"))
    assert.isTrue(may("Read(./secrets/**)", "secrets/*"))
    assert.isTrue(may("Read(**/*.pem)", "certs/*"))
    assert.isTrue(may("Read(~/.ssh/**)", "~/.ss*/id"))
    assert.isTrue(may("Read(~/.ssh/**)", "/home/*/.ssh/id"))
  })

  it("a glob that can't be it is left alone", () => {
    assert.isFalse(may("Read(.env)", "*.ts"))
    assert.isFalse(may("Read(.env)", "src/*.py"))
    assert.isFalse(may("Read(/secrets/**)", "src/*"))
    assert.isFalse(may("Read(**/*.pem)", "certs/*.txt"))
    assert.isFalse(may("Read(.env)", "/etc/*"))
  })

  it("where the directory is not known, anything may be", () => {
    assert.isTrue(mayMatchPath(deny("Read(.env)"), word("x*"), undefined))
    assert.isTrue(may("Read(/secrets/**)", "src/*/../../secrets/a"))
  })

  const patterns = Arbitrary.map(
    Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", "*", "**", "/", "/", "?", "[ab]", "./"])), {
      minLength: 1,
      maxLength: 6
    }),
    (parts) => `Read(x${parts.join("")})`.replace("(x", parts.length % 2 === 0 ? "(a" : "(./")
  )
  const texts = Arbitrary.map(
    Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", "*", "$", "/", "ab"])), { minLength: 1, maxLength: 6 }),
    (parts) => `b${parts.join("")}`
  )

  it.prop("what a word may become and a rule matches, was possible", { patterns, texts }, ({ patterns, texts }) => {
    const { pattern } = parseRule(patterns, { behavior: "deny", source: "projectSettings" })
    const matcher = pattern && compilePath({ behavior: "deny", pattern, base: "/repo" }, place())
    if (matcher === undefined || mayMatchPath(matcher, word(texts), "/repo")) return
    for (const name of ["", "a", "b", "ab"]) {
      for (const value of ["", "a", "a/b", "/a", "../b"]) {
        const path = normalise(texts.replaceAll("*", name).replaceAll("$", value), place()) ?? ""
        assert.isFalse(matchPath(matcher, { written: path, real: [] }, "deny"), `${patterns} ${path}`)
      }
    }
  }, { arbitrary: { runs: 1000 } })
})
