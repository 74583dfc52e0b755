import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

// The package as a user gets it: packed, and installed into an empty project that has Node 24.

const project = mkdtempSync(join(tmpdir(), "toolgate-package-"))
const installed = join(project, "node_modules/toolgate")
const bin = join(project, "node_modules/.bin")

const run = (command: string, args: ReadonlyArray<string>, cwd = project) => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  return { status, stderr, stdout }
}

beforeAll(() => {
  // What was just built is packed as it is: to build again would take it from under the tests that run beside these.
  const packed = run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", project], ".")
  assert.strictEqual(packed.status, 0, packed.stderr)
  const tarball = packed.stdout.trim().split("\n").at(-1)
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ private: true, type: "module", allowScripts: { node: true } })
  )
  const install = run("npm", ["install", "--no-audit", "--no-fund", `./${tarball}`, "node@24"])
  assert.strictEqual(install.status, 0, install.stderr)
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

describe("the packed tarball", () => {
  it("can be imported", () => {
    const script = "import('toolgate').then((module) => console.log(Object.keys(module).length > 0))"
    assert.deepStrictEqual(run(join(bin, "node"), ["-e", script]), { status: 0, stderr: "", stdout: "true\n" })
  })

  it("brings types to every public door", () => {
    const { exports } = JSON.parse(readFileSync("package.json", "utf8"))
    const doors = Object.keys(exports).filter((door) => !door.includes("json")).flatMap((door) => {
      const files = globSync(`${exports[door].types.replace("*", "**/*")}`, { cwd: installed })
      const [before = "", after = ""] = exports[door].types.slice(2).split("*")
      return files.map((file) =>
        door.replace("*", file.slice(before.length, file.length - after.length)).replace(/^\./, "toolgate")
      )
    })
    assert.include(doors, "toolgate")
    // An import that resolves to nothing but a type of `any` would let this assignment pass.
    const lines = doors.map((door, index) =>
      `import * as door${index} from "${door}"\n// @ts-expect-error\nexport const not${index}: number = door${index}\n`
    )
    writeFileSync(join(project, "doors.ts"), lines.join(""))
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"]
    const types = run("node", [resolve("node_modules/typescript/bin/tsc"), ...options, "doors.ts"])
    assert.deepStrictEqual(types, { status: 0, stderr: "", stdout: "" })
  })

  it("has source maps that lead to published sources", () => {
    const maps = globSync("dist/**/*.map", { cwd: installed })
    assert.isAbove(maps.length, 0)
    const lost = maps.flatMap((map) => {
      const { sources } = JSON.parse(readFileSync(join(installed, map), "utf8"))
      return sources.filter((source: string) => !existsSync(join(installed, dirname(map), source)))
    })
    assert.deepStrictEqual(lost, [])
  })

  it("has a command that shows its help", () => {
    const { status, stderr, stdout } = run("npx", ["--no-install", "toolgate", "--help"])
    assert.deepStrictEqual({ status, stderr }, { status: 0, stderr: "" })
    assert.include(stdout, "toolgate")
  })

  it("has a command that knows the version of its package", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"))
    assert.include(run("npx", ["--no-install", "toolgate", "--version"]).stdout, version)
  })

  it("has a command that decides without what takes Node long to load or to make", () => {
    const preload = join(project, "loaded.cjs")
    writeFileSync(
      preload,
      `process.on("exit", () => console.error(JSON.stringify(process.moduleLoadList)))
       Intl.Segmenter = class { constructor() { throw new Error("nothing has to be cut into characters") } }`
    )
    const command = join(installed, "bin/toolgate.cjs")
    const { status, stderr } = run("node", ["--require", preload, command, "check", "Bash", "{\"command\":\"ls\"}"])
    assert.strictEqual(status, 0, stderr)
    const loaded: ReadonlyArray<string> = JSON.parse(stderr)
    assert.include(loaded, "NativeModule fs")
    for (const name of ["child_process", "crypto", "fs/promises", "net", "readline", "stream"]) {
      assert.notInclude(loaded, `NativeModule ${name}`)
    }
  })
})

describe("the command on an older Node", () => {
  const command = join(installed, "bin/toolgate.cjs")

  it.each(["12.22.12", "20.20.2", "22.18.0"])("says in one line which Node it needs, on %s", (version) => {
    const pretend = `Object.defineProperty(process, "versions", { value: { node: "${version}" } })`
    const preload = join(project, "pretend.cjs")
    writeFileSync(preload, pretend)
    assert.deepStrictEqual(run("node", ["--require", preload, command, "--help"]), {
      status: 2,
      stdout: "",
      stderr: `toolgate needs Node 22.19 or later, this is ${version}\n`
    })
  })

  const [older] = (process.env.PATH ?? "").split(":")
    .map((folder) => join(folder, "node"))
    .filter((node) => existsSync(node) && /^v(1[2-9]|2[01])\./.test(run(node, ["--version"], ".").stdout))

  it.runIf(older !== undefined)("says so on a real one too", () => {
    const { status, stderr, stdout } = run(older ?? "node", [command, "--help"])
    assert.deepStrictEqual({ status, stdout }, { status: 2, stdout: "" })
    assert.match(stderr, /^toolgate needs Node 22\.19 or later, this is [\d.]+\n$/)
  })
})
