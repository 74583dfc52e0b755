import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { until } from "../support/until.ts"

const script = `
import * as Effect from "effect/Effect"
import { openBrowser } from ${JSON.stringify(new URL("../../src/layers/openBrowser.ts", import.meta.url).href)}
await Effect.runPromise(openBrowser(process.argv[1]))
`

/** Opens an address in a process of its own, with the browser that is given. */
const opening = (url: string, environment: Record<string, string>) =>
  Effect.callback<number>((resume) => {
    const args = ["--input-type=module", "--eval", script, url]
    const child = execFile(process.execPath, args, { env: environment })
    child.once("exit", (code) => resume(Effect.succeed(code ?? -1)))
  })

describe.runIf(process.platform === "linux")("openBrowser", () => {
  it.live("the user's own browser gets the whole address as one argument", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "toolgate-browser-"))),
      (folder) =>
        Effect.gen(function*() {
          const seen = join(folder, "seen")
          const browser = join(folder, "browser")
          writeFileSync(browser, `#!/bin/sh\nprintf '%s|%s' "$#" "$1" > "${seen}.part"; mv "${seen}.part" "${seen}"\n`)
          chmodSync(browser, 0o755)
          const url = "https://auth.example/authorize?a=1&b=$(id)%20c;d"
          const code = yield* opening(url, { PATH: process.env["PATH"] ?? "", BROWSER: browser, HOME: folder })
          assert.strictEqual(code, 0)
          yield* until(() => existsSync(seen))
          assert.strictEqual(readFileSync(seen, "utf8"), `1|${url}`)
        }),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ))

  it.live("a machine without a browser is no failure", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* opening("https://auth.example/", { PATH: "/nonexistent" }), 0)
    }))
})
