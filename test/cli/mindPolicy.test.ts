import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

describe("rules of the command line", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
  })
  afterAll(() => place.remove())

  const list = (...more: ReadonlyArray<string>) => runToolgate(place, ["call", "Bash", "{\"command\":\"ls\"}", ...more])

  it("one that can't be read is wrong usage, and nothing runs", async () => {
    for (const flag of ["--disallowed-tools", "--disallowedTools"]) {
      const { code, stderr, stdout } = await list(flag, "Bash(echo")
      assert.strictEqual(code, 2)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /^toolgate: `Bash\(echo`: the closing parenthesis is missing.*\n$/)
    }
  })

  it("one that is only odd is pointed out, and the call goes on", async () => {
    const { code, stderr } = await list("--disallowed-tools", "Raed")
    assert.strictEqual(code, 0)
    assert.include(stderr, "`Read` was probably meant")
  })

  it("settings that can't be read are wrong usage", async () => {
    const { code, stderr } = await list("--settings", "{bad json")
    assert.strictEqual(code, 2)
    assert.match(stderr, /^toolgate: --settings:1:2: .*\n$/)
  })

  it("a deny rule that a file lost is said aloud, with its place", async () => {
    mkdirSync(path.join(place.cwd, ".claude"))
    writeFileSync(path.join(place.cwd, ".claude", "settings.json"), "{\"permissions\":{\"deny\":[5]}}")
    const { code, stderr } = await list()
    assert.strictEqual(code, 0)
    assert.include(stderr, path.join(place.cwd, ".claude", "settings.json:1:25"))
  })

  it("settings of a folder above are said not to count, once for a call, where there are none here", async () => {
    const theirs = makePlace()
    const below = path.join(theirs.cwd, "packages/one")
    mkdirSync(below, { recursive: true })
    mkdirSync(path.join(theirs.cwd, ".claude"))
    mkdirSync(path.join(theirs.home, ".claude"))
    writeFileSync(path.join(theirs.cwd, ".claude/settings.json"), "{\"permissions\":{\"deny\":[\"Bash(ls *)\"]}}")
    writeFileSync(path.join(theirs.home, ".claude/settings.json"), "{}")
    const said = async (cwd: string) =>
      (await runToolgate(theirs, ["check", "--cwd", cwd, "Bash", "{\"command\":\"ls\"}"])).stderr
    assert.strictEqual(
      await said(below),
      `toolgate: note: \`${theirs.cwd}/.claude/settings.json\` does not count here, its deny rules neither: ` +
        `use \`--cwd ${theirs.cwd}\`\n`
    )
    assert.strictEqual(await said(theirs.cwd), "")
    assert.strictEqual(await said(theirs.home), "")
    theirs.remove()
  })
})
