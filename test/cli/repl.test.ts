import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import * as path from "node:path"
import { makePlace, runToolgate } from "./runToolgate.ts"

const call = (place: ReturnType<typeof makePlace>, input: object, ...more: ReadonlyArray<string>) =>
  runToolgate(place, ["call", "REPL", JSON.stringify(input), ...more])

describe("toolgate call REPL", () => {
  it("code reads files through the gate, and the command ends", async () => {
    const place = makePlace()
    writeFileSync(path.join(place.cwd, "a.txt"), "one\ntwo\n")
    const code = "const text = await tools.Read({ file_path: 'a.txt' }); text.includes('two')"
    assert.deepInclude(await call(place, { code }), { code: 0, stdout: "true\n" })
    place.remove()
  })

  it("what nobody permits is told to the code, and to whoever called where it does not catch it", async () => {
    const place = makePlace()
    const { code, stderr } = await call(place, { code: "await tools.Bash({ command: 'touch b.txt' })" })
    assert.strictEqual(code, 1)
    assert.include(stderr, "nobody could be asked")
    place.remove()
  })

  it("a program hears of each call, and its own result is that of its own call", async () => {
    const place = makePlace()
    const input = { code: "await tools.Glob({ pattern: '*' }); await tools.Nope?.(); 'mine'" }
    const { stdout } = await call(place, input, "--output", "stream-json")
    const events = stdout.trim().split("\n").map((line) => JSON.parse(line))
    const [first, ...others] = events.filter(({ _tag }) => _tag === "Received")
    assert.deepStrictEqual(others.map(({ id, parent }) => [id, parent]), [[`${first.id}_1`, first.id]])
    assert.deepInclude(events.at(-1), { _tag: "Finished", id: first.id })
    const { result } = JSON.parse((await call(place, input, "--json")).stdout)
    assert.strictEqual(result.content, "mine")
    place.remove()
  })

  it("an endless loop ends at its limit, and so does the command", async () => {
    const place = makePlace()
    const { code, stdout } = await call(place, { code: "console.log('begun'); for (;;);", timeout: 3_000 })
    assert.strictEqual(code, 1)
    assert.include(stdout, "stopped at its time limit of 3000 ms")
    place.remove()
  })
})
