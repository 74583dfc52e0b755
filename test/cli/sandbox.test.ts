/** A sandbox that is wanted where what it needs is missing, as processes. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { makePlace, type Ran, runToolgate } from "./runToolgate.ts"

const call = async (sandbox: object): Promise<Ran & { readonly ran: boolean }> => {
  const place = makePlace()
  try {
    // A path on which there is what Bash needs and nothing of what its sandbox does.
    const programs = join(place.home, "programs")
    mkdirSync(programs)
    for (const name of ["bash", "sh", "mkfifo"]) symlinkSync(`/usr/bin/${name}`, join(programs, name))
    const settings = JSON.stringify({ sandbox, permissions: { allow: ["Bash"] } })
    const ran = await runToolgate(
      place,
      ["call", "Bash", "{\"command\":\"echo it ran > here\"}", "--settings", settings],
      { env: { PATH: programs } }
    )
    return { ...ran, ran: existsSync(join(place.cwd, "here")) }
  } finally {
    place.remove()
  }
}

describe.skipIf(process.platform !== "linux")("a sandbox without what it needs", () => {
  it("runs no command, and names what to install", async () => {
    const { code, ran, stderr } = await call({ enabled: true })
    assert.strictEqual(code, 1, stderr)
    assert.isFalse(ran)
    assert.match(stderr, /there is no sandbox: .*bubblewrap/s)
  })

  it("runs commands without one where settings say so, and tells", async () => {
    const { code, ran, stderr, stdout } = await call({ enabled: true, failIfUnavailable: false })
    assert.strictEqual(code, 0, stderr)
    assert.isTrue(ran)
    assert.match(stdout, /there is no sandbox: .*bubblewrap/s)
  })
})

const works = spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-net", "true"]).status === 0 &&
  spawnSync("socat", ["-V"]).status === 0

describe.skipIf(!works)(`a sandboxed checkout${works ? "" : " (skipped: bubblewrap or socat is missing)"}`, () => {
  it("is committed as it is, and is left as it was", async () => {
    const place = makePlace()
    try {
      spawnSync("git", ["init", "-q"], { cwd: place.cwd })
      const before = readdirSync(place.cwd).sort()
      const command = "find . -type c; echo a > a.txt; git add -A && git status --porcelain"
      const settings = JSON.stringify({ sandbox: { enabled: true } })
      const ran = await runToolgate(
        place,
        ["call", "Bash", JSON.stringify({ command }), "--settings", settings, "--allowed-tools", "Bash"]
      )
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.strictEqual(ran.stdout.trim(), "A  a.txt")
      assert.deepStrictEqual(readdirSync(place.cwd).sort(), [...before, "a.txt"].sort())
    } finally {
      place.remove()
    }
  })
})
