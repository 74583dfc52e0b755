import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

describe("where a session's shell stands", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
    mkdirSync(path.join(place.cwd, "sub", "below"), { recursive: true })
    writeFileSync(path.join(place.cwd, "secret.txt"), "secret\n")
    writeFileSync(path.join(place.cwd, "sub", "a.txt"), "of sub\n")
  })
  afterAll(() => place.remove())
  const bash = (session: string, command: string, ...flags: ReadonlyArray<string>) =>
    runToolgate(place, ["call", "Bash", JSON.stringify({ command }), "--session", session, "--ask", "deny", ...flags])
  const said = async (session: string, command: string, ...flags: ReadonlyArray<string>) =>
    (await bash(session, command, ...flags)).stdout

  it("stays from one call to the next, in this session alone", async () => {
    await said("a", "cd sub", "--allowed-tools", "Bash")
    assert.strictEqual(await said("a", "pwd; cat a.txt"), `${place.cwd}/sub\nof sub\n`)
    assert.strictEqual(await said("b", "pwd"), `${place.cwd}\n`)
    assert.strictEqual(await said("a", "(cd below; pwd); pwd"), `${place.cwd}/sub/below\n${place.cwd}/sub\n`)
  })

  it("is what rules go by: their anchors stay, and paths begin where the shell is", async () => {
    await said("c", "cd sub", "--allowed-tools", "Bash")
    const deny = ["--disallowed-tools", "Read(./secret.txt)"]
    assert.strictEqual((await bash("c", "cat ../secret.txt", ...deny)).code, 3)
    assert.strictEqual((await bash("c", "cat a.txt", ...deny)).stdout, "of sub\n")
    assert.strictEqual((await bash("c", "cat ../../outside.txt")).code, 3)
  })

  it("goes back outside of the working directories, and says so", async () => {
    await said("d", "cd sub", "--allowed-tools", "Bash")
    assert.include(
      await said("d", "cd /; pwd", "--allowed-tools", "Bash"),
      `[the shell is back in \`${place.cwd}\`, since \`/\``
    )
    assert.strictEqual(await said("d", "pwd"), `${place.cwd}\n`)
  })

  it("a folder that is gone is told once, and then it is the working directory again", async () => {
    mkdirSync(path.join(place.cwd, "brief"))
    await said("e", "cd brief", "--allowed-tools", "Bash")
    rmdirSync(path.join(place.cwd, "brief"))
    assert.include((await bash("e", "pwd")).stderr, "does not exist")
    assert.strictEqual(await said("e", "pwd"), `${place.cwd}\n`)
  })

  it("the exit code, traps and lines of a command that moves are its own", async () => {
    const failed = await bash("f", "cd sub\nexit 5", "--allowed-tools", "Bash")
    assert.include(failed.stderr, "Exit code 5")
    const lines = (await said("f", "cd ..; trap 'echo bye' EXIT; echo $LINENO", "--allowed-tools", "Bash")).split("\n")
    assert.deepStrictEqual(lines.slice(0, 2), ["1", "bye"])
  })

  it("a command that leaves no word of where it ended is said to, and the next one begins where it did", async () => {
    await said("g", "cd sub", "--allowed-tools", "Bash")
    for (const command of ["cd below; trap : EXIT", "cd below; exec true", "cd below; trap - EXIT"]) {
      assert.include(
        await said("g", command, "--allowed-tools", "Bash"),
        `where the shell ended is not known, since its \`EXIT\` trap was replaced or never ran; ` +
          `the next command begins in \`${place.cwd}/sub\``
      )
      assert.strictEqual(await said("g", "pwd"), `${place.cwd}/sub\n`)
    }
  })
})
