import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import type { Place } from "../../../src/domain/Place.ts"
import type { Behavior, RuleSource } from "../../../src/domain/Rule.ts"
import { compilePath } from "../../../src/permission/path/compilePath.ts"
import { inside } from "../../../src/permission/path/inside.ts"
import { coversFolder, matchPath } from "../../../src/permission/path/matchPath.ts"
import { normalise } from "../../../src/permission/path/normalise.ts"
import type { PathMatcher } from "../../../src/permission/path/PathMatcher.ts"
import { parseRule } from "../../../src/permission/rule/parseRule.ts"
import { processorMillis } from "../../support/processorMillis.ts"
import { place, windows } from "./place.ts"

const compile = (rule: string, behavior: Behavior, at: Place = place(), base = at.projectRoot): PathMatcher => {
  const source: RuleSource = "projectSettings"
  const { pattern } = parseRule(rule, { behavior, source })
  const matcher = pattern === undefined ? undefined : compilePath({ behavior, pattern, base }, at)
  if (matcher === undefined) throw new Error(`no path rule: ${rule}`)
  return matcher
}

const resolved = (path: string, real: ReadonlyArray<string> = [], at: Place = place()) => ({
  written: normalise(path, at) ?? "",
  real
})

const match = (rule: string, path: string, behavior: Behavior, at: Place = place()): boolean =>
  matchPath(compile(rule, behavior, at), resolved(path, [], at), behavior)

interface Vector {
  readonly rule: string
  readonly path: string
  readonly allow: boolean
  readonly deny: boolean
}

const both = (rule: string, path: string, expected: boolean): Vector => ({
  rule,
  path,
  allow: expected,
  deny: expected
})

const vectors: ReadonlyArray<Vector> = [
  both("Read(.env)", ".env", true),
  both("Read(.env)", "server/api/.env", true),
  both("Read(.env)", "/home/dev/.env", false),
  both("Read(.env)", ".environment", false),
  both("Read(*.env)", "a/b/x.env", true),
  { rule: "Read(./.env)", path: "server/.env", allow: false, deny: true },
  both("Read(./.env)", ".env", true),
  both("Edit(src/**)", "src/a/b.ts", true),
  both("Edit(src/**)", "src", true),
  { rule: "Edit(src/**)", path: "packages/a/src/x.ts", allow: false, deny: true },
  { rule: "Edit(src/)", path: "packages/a/src/x.ts", allow: false, deny: true },
  both("Edit(**/src/**)", "packages/a/src/x.ts", true),
  both("Edit(a/b/**)", "x/a/b/c", false),
  both("Edit(/docs/*.md)", "docs/a/b.md", false),
  both("Edit(/docs/*.md)", "docs/b.md", true),
  both("Edit(/src/**/*.ts)", "src/a/b/c.ts", true),
  both("Edit(/src/**/*.ts)", "src/c.ts", true),
  both("Edit(docs/**)", "docs/.drafts/a.md", true),
  both("Edit(docs/**)", "Docs/a.md", false),
  both("Read(./secrets/**)", "/repo/secrets", true),
  both("Read(./**)", "/repo", true),
  both("Read(./**)", "/repo-secrets/x", false),
  both("Read(//tmp/allowed/**)", "/tmp/allowed_evil/x.txt", false),
  both("Read(//tmp/allowed/**)", "/tmp/allowed/x.txt", true),
  both("Read(//**/*.pem)", "/etc/ssl/key.pem", true),
  both("Read(~/.ssh/**)", "/home/dev/.ssh/id_rsa", true),
  both("Read(~/.bashrc)", "/home/dev/x/.bashrc", false),
  both("Read(**/.secrets*)", "a/.secrets-prod", true),
  both("Read(**/.secrets*)", "/home/dev/.secrets", false),
  both("Edit(/\\[2024-06\\] Reports/a.md)", "[2024-06] Reports/a.md", true),
  both("Edit(/app/[id]/page.tsx)", "app/[id]/page.tsx", true),
  both("Edit(/app/(group)/page.tsx)", "app/(group)/page.tsx", true),
  both("Read(!x)", "!x", true),
  both("Read(!x)", "x", false),
  both("Read(#x)", "a/#x", true),
  both("Read(x )", "x ", true),
  both("Read(x )", "x", false),
  both("Read(a{b,c})", "ab", false),
  both("Read(/src/../secrets/**)", "secrets/x", false),
  both("Read(/src/./a)", "src/a", true),
  { rule: "Edit(/log*/**)", path: "log.txt", allow: false, deny: true },
  both("Edit(/log*/**)", "logs/a.txt", true)
]

describe("matchPath", () => {
  for (const { allow, deny, path, rule } of vectors) {
    it(`${rule} and \`${path}\``, () => {
      assert.strictEqual(match(rule, path, "allow"), allow, "allow")
      assert.strictEqual(match(rule, path, "deny"), deny, "deny")
      assert.strictEqual(match(rule, path, "ask"), deny, "ask")
    })
  }

  it("allow must hold for a link and for what it leads to, deny for either", () => {
    const link = resolved("/repo/key", ["/home/dev/.ssh/id_rsa"])
    assert.isFalse(matchPath(compile("Read(./**)", "allow"), link, "allow"))
    assert.isTrue(matchPath(compile("Read(~/.ssh/**)", "deny"), link, "deny"))
    assert.isTrue(matchPath(compile("Read(./**)", "allow"), resolved("/repo/docs/a", ["/repo/content/a"]), "allow"))
  })

  it("a single slash begins at the base of the rule", () => {
    const matcher = compile("Read(/x/**)", "deny", place(), "/home/dev/.claude")
    assert.isTrue(matchPath(matcher, resolved("/home/dev/.claude/x/y"), "deny"))
    assert.isFalse(matchPath(matcher, resolved("/repo/x/y"), "deny"))
  })

  it("compares names as the disk does", () => {
    const mac = place({ platform: "darwin", caseInsensitive: true })
    assert.isTrue(match("Read(**/app.config)", "/repo/App.config", "deny", mac))
    assert.isTrue(match("Edit(.git/**)", "/repo/.GIT/hooks/pre-commit", "deny", mac))
    assert.isTrue(match("Read(R\u00e9sum\u00e9.md)", "/repo/re\u0301sume\u0301.md", "deny", mac))
  })

  it("reads Windows paths in every form", () => {
    assert.isTrue(match("Read(//c/secrets/**)", "C:\\secrets\\a.txt", "deny", windows))
    assert.isTrue(match("Read(D:/some/path/**)", "D:\\some\\path\\a.txt", "deny", windows))
    assert.isTrue(match("Read(D:\\some\\path\\**)", "d:\\Some\\path\\a.txt", "deny", windows))
    assert.isTrue(match("Read(\\\\server\\share\\**)", "\\\\Server\\share\\a", "deny", windows))
    assert.isFalse(match("Read(./**)", "\\\\server\\share\\a.txt", "allow", windows))
    assert.isTrue(match("Read(./**)", "src\\a.txt", "allow", windows))
  })

  it("a deny that names a link reaches where it leads, an allow does not", () => {
    const linked = place({ links: [["/data/link", "/etc/secret"]] })
    assert.isTrue(match("Read(//data/link/**)", "/etc/secret/x", "deny", linked))
    assert.isFalse(match("Read(//data/link/**)", "/etc/secret/x", "allow", linked))
    const mac = place({ platform: "darwin", cwd: "/private/tmp/proj" })
    assert.isTrue(match("Read(//tmp/proj/secret.txt)", "/private/tmp/proj/secret.txt", "deny", mac))
    assert.isTrue(match("Read(//tmp/**)", "/private/tmp/x", "allow", mac))
  })

  it("a working directory that is a link counts under both names", () => {
    const linked = place({ cwd: "/home/dev/work", links: [["/home/dev/work", "/data/work"]] })
    const matcher = compile("Edit(./**)", "allow", linked)
    assert.isTrue(matchPath(matcher, { written: "/home/dev/work/a", real: ["/data/work/a"] }, "allow"))
    assert.isTrue(inside({ written: "/home/dev/work/a", real: ["/data/work/a"] }, linked))
  })

  it("hostile patterns take no time", () => {
    const matchAll = () => {
      for (const unit of ["*", "**/", "[", "a*", "?", "[a-z]*", "\\", " ", "*/"]) {
        const pattern = `Read(x${unit.repeat(Math.floor(2000 / unit.length))}b)`
        matchPath(compile(pattern, "deny"), resolved(`x${"a".repeat(200)}/${"a/".repeat(100)}c`), "deny")
      }
    }
    assert.isBelow(processorMillis(matchAll), 30_000)
  })
})

describe("coversFolder", () => {
  const covers = (rule: string, path: string): boolean => coversFolder(compile(rule, "deny"), resolved(path))

  it("a search above a denied folder has something to leave out", () => {
    assert.isTrue(covers("Read(./secrets/**)", "/repo"))
    assert.isTrue(covers("Read(./secrets/**)", "/"))
    assert.isTrue(covers("Read(.env)", "/repo/src"))
    assert.isTrue(covers("Read(/a/b/*.pem)", "/repo/a"))
    assert.isTrue(covers("Read(/a/b/**)", "/repo/a/b/c"))
    assert.isTrue(covers("Read(/a/*/x)", "/repo/a/q"))
  })

  it("a search beside it has nothing to leave out", () => {
    assert.isFalse(covers("Read(/secrets/**)", "/repo/src"))
    assert.isFalse(covers("Read(/a/b/*.pem)", "/repo/b"))
    assert.isFalse(covers("Read(~/.ssh/**)", "/repo"))
    assert.isFalse(covers("Read(.env)", "/data"))
  })
})

describe("inside", () => {
  it("the working directory and added ones, and nothing that only begins like them", () => {
    const at = place({ directories: ["/data/ref/"] })
    assert.isTrue(inside(resolved("a"), at))
    assert.isTrue(inside(resolved("/data/ref/a"), at))
    assert.isFalse(inside(resolved("/repo-secrets/x"), at))
    assert.isFalse(inside(resolved("/repo/../etc"), at))
    assert.isFalse(inside(resolved("a", ["/etc/a"]), at))
    assert.isTrue(inside(resolved("/REPO/a"), place({ caseInsensitive: true })))
    assert.isFalse(inside(resolved("/REPO/a"), place()))
  })
})

describe("path rules", () => {
  const patterns = Arbitrary.map(
    Arbitrary.array(
      Arbitrary.schema(
        Schema.Literals(["a", "b", "*", "**", "/", "/", "?", ".env", "[ab]", "~/", "./", "//", "!", " "])
      ),
      { minLength: 1, maxLength: 6 }
    ),
    (parts) => `Read(x${parts.join("")})`.replace("(x", parts.length % 2 === 0 ? "(" : "(./")
  )
  const paths = Arbitrary.map(
    Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", ".env", "ab", "x y"])), { minLength: 1, maxLength: 4 }),
    (parts) => `/repo/${parts.join("/")}`
  )
  const compiled = (rule: string, behavior: Behavior): PathMatcher | undefined => {
    const { pattern } = parseRule(rule, { behavior, source: "projectSettings" })
    return pattern === undefined ? undefined : compilePath({ behavior, pattern, base: "/repo" }, place())
  }

  it.prop("deny reaches at least as far as allow", { patterns, paths }, ({ paths, patterns }) => {
    const [allow, deny] = [compiled(patterns, "allow"), compiled(patterns, "deny")]
    if (allow === undefined || deny === undefined) return
    if (matchPath(allow, resolved(paths), "allow")) assert.isTrue(matchPath(deny, resolved(paths), "deny"))
  }, { arbitrary: { runs: 1000 } })

  it.prop("what matches, matches everything below it", { patterns, paths, below: paths }, (drawn) => {
    for (const behavior of ["allow", "deny"] as const) {
      const matcher = compiled(drawn.patterns, behavior)
      if (matcher === undefined || !matchPath(matcher, resolved(drawn.paths), behavior)) continue
      assert.isTrue(matchPath(matcher, resolved(`${drawn.paths}${drawn.below}`), behavior))
    }
  }, { arbitrary: { runs: 1000 } })

  it.prop("nothing outside the anchor is ever matched", { patterns, paths }, ({ paths, patterns }) => {
    const matcher = compiled(patterns, "deny")
    if (matcher === undefined || matcher.folders.includes("/")) return
    assert.isFalse(matchPath(matcher, resolved(paths.replace("/repo", "/elsewhere")), "deny"))
  }, { arbitrary: { runs: 1000 } })

  it.prop("a folder with a denied file below it is covered", { patterns, paths }, ({ paths, patterns }) => {
    const matcher = compiled(patterns, "deny")
    if (matcher === undefined || !matchPath(matcher, resolved(paths), "deny")) return
    for (let folder = paths; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
      assert.isTrue(coversFolder(matcher, resolved(folder)), folder)
    }
  }, { arbitrary: { runs: 1000 } })
})
