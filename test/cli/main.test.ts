import { assert, describe, it } from "@effect/vitest"
import { makePlace, runToolgate } from "./runToolgate.ts"

// Tells at the end which modules of ours were loaded.
const watching = `data:text/javascript,${
  encodeURIComponent(`
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    process.on("exit", () => console.error(loaded.filter((url) => !url.includes("node_modules") || /quickjs|acorn/.test(url)).join(" ")))
  `)
}`

describe("the program", () => {
  it("loads neither the pipeline nor the tools to show help or refuse a flag", async () => {
    const place = makePlace()
    for (const args of [["--help"], ["call", "--help"], ["check", "--nope"]]) {
      const { stderr } = await runToolgate(place, args, { env: { NODE_OPTIONS: `--import ${watching}` } })
      assert.include(stderr, "src/cli/main.ts")
      assert.notMatch(stderr, /src\/(pipeline|toolgate|permission|stages|tools|errors)/)
    }
    place.remove()
  })

  it("loads what the REPL needs when one is called, and not before", async () => {
    const place = makePlace()
    const env = { NODE_OPTIONS: `--import ${watching}` }
    const other = await runToolgate(place, ["call", "Glob", "{\"pattern\":\"*\"}"], { env })
    assert.include(other.stderr, "src/pipeline.ts")
    assert.notMatch(other.stderr, /src\/repl\/(evaluate|startThread|thread|Machine|guest)|quickjs|acorn/)
    const own = await runToolgate(place, ["call", "REPL", "{\"code\":\"1 + 1\"}"], { env })
    assert.strictEqual(own.stdout, "2\n")
    assert.include(own.stderr, "src/repl/startThread.ts")
    assert.notMatch(own.stderr, /src\/repl\/(thread|Machine|guest)/)
    place.remove()
  })
})
