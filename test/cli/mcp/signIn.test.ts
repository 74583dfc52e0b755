import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { guarded } from "../../fixtures/mcp/guarded.ts"
import { inTerminal } from "../../layers/approver/inTerminal.ts"
import { freePort } from "../../mcp/servers.ts"
import { main, makePlace, type Place, runToolgate } from "../runToolgate.ts"

/** Runs with a server that wants a sign-in, configured for the user, and a browser that goes where it is sent. */
const around = <A>(
  body: (server: Effect.Success<typeof guarded>, place: Place, env: Record<string, string>) => Promise<A>
) =>
  Effect.scoped(Effect.gen(function*() {
    const server = yield* guarded
    const place = yield* Effect.acquireRelease(Effect.sync(() => makePlace()), ({ remove }) => Effect.sync(remove))
    const config = { mcpServers: { notes: { type: "http", url: server.url } } }
    writeFileSync(path.join(place.home, ".claude.json"), JSON.stringify(config))
    const browser = path.join(place.home, "browser")
    writeFileSync(browser, `#!/bin/sh\nexec "${process.execPath}" -e 'fetch(process.argv[1])' "$1"\n`)
    chmodSync(browser, 0o755)
    return yield* Effect.promise(() => body(server, place, { ...place.env, BROWSER: browser }))
  }))

const called = ["call", "mcp__notes__whoami", "{}", "--allowed-tools", "mcp__notes"]

const kept = (place: Place): ReadonlyArray<string> => {
  const folder = path.join(place.env["TOOLGATE_STATE_DIR"] ?? "", "mcp")
  return existsSync(folder) ? readdirSync(folder) : []
}

// Each of these starts the command several times.

describe("toolgate mcp login and logout", () => {
  it.live("opens the browser, keeps the sign-in for calls, and ends it", () =>
    around(async (server, place, env) => {
      const before = await runToolgate(place, called)
      assert.strictEqual(before.code, 1)
      assert.include(before.stdout + before.stderr, "run `toolgate mcp login notes`, then call again")
      assert.strictEqual(server.seen.registered, 0)

      const signedIn = await runToolgate(place, ["mcp", "login", "notes"], { env })
      assert.deepStrictEqual([signedIn.code, signedIn.stdout], [0, "You are signed in to notes.\n"])
      assert.include(signedIn.stderr, `${server.origin}/authorize?`)
      assert.include((await runToolgate(place, called)).stdout, "you are the one with [token]")

      const again = await runToolgate(place, ["mcp", "login", "notes", "--json"], { env })
      assert.deepInclude(JSON.parse(again.stdout), { server: "notes", status: "already-signed-in" })
      const ended = await runToolgate(place, ["mcp", "logout", "notes"])
      assert.deepStrictEqual([ended.code, ended.stderr], [0, ""])
      assert.include(ended.stdout, "its tokens are taken back and deleted")
      assert.strictEqual(server.seen.revoked.length, 2)
      assert.deepStrictEqual(kept(place), [])
      const none = await runToolgate(place, ["mcp", "logout", "notes", "--json"])
      assert.deepInclude(JSON.parse(none.stdout), { server: "notes", ended: [] })
      for (const { stderr, stdout } of [before, signedIn, again, ended, none]) {
        for (const secret of server.issued) assert.notInclude(stdout + stderr, secret)
      }
    }))

  it.live("prints the address alone when told to, and gives up on Ctrl-C without a trace", () =>
    around(async (server, place, env) => {
      let stopped = false
      const { code, stderr, stdout } = await runToolgate(place, ["mcp", "login", "notes", "--no-browser"], {
        env,
        onStderr: (text, kill) => {
          if (stopped || !text.includes("Ctrl-C gives up")) return
          stopped = true
          kill("SIGINT")
        }
      })
      assert.deepStrictEqual([code, stdout], [130, ""])
      assert.include(stderr, `${server.origin}/authorize?`)
      assert.deepStrictEqual(kept(place), [])
    }))

  it.live("says why nobody is signed in", () =>
    around(async (server, place, env) => {
      server.consent = "refuses"
      const refused = await runToolgate(place, ["mcp", "login", "notes"], { env })
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "you are not signed in to the server `notes`: the sign-in was refused")
      for (const command of ["login", "logout"]) {
        const unknown = await runToolgate(place, ["mcp", command, "note"], { env })
        assert.strictEqual(unknown.code, 2)
        assert.include(unknown.stderr, "there is no MCP server `note`; `notes` was probably meant")
      }
      const gone = JSON.stringify({
        mcpServers: { gone: { url: `http://127.0.0.1:${await Effect.runPromise(freePort)}/mcp` } }
      })
      const away = await runToolgate(place, ["mcp", "login", "gone", "--mcp-config", gone], { env })
      assert.strictEqual(away.code, 1)
      assert.include(away.stderr, "you are not signed in to the server `gone`: nothing answers at")
    }))

  it.live("tells when the server may still count what was deleted", () =>
    around(async (server, place, env) => {
      await runToolgate(place, ["mcp", "login", "notes"], { env })
      server.revocation = "fails"
      const { code, stderr } = await runToolgate(place, ["mcp", "logout", "notes"])
      assert.strictEqual(code, 1)
      assert.include(stderr, "are deleted here, but may count on: the authorization server refused")
      assert.deepStrictEqual(kept(place), [])
    }))
})

describe("toolgate call at a terminal", () => {
  const atTerminal = (
    place: Place,
    env: Record<string, string>,
    answer: (session: ReturnType<typeof inTerminal>) => Promise<void>
  ) =>
    (async () => {
      const session = inTerminal(process.execPath, [main, ...called], { cwd: place.cwd, env })
      await answer(session)
      return { code: await session.exit, raw: session.raw() }
    })()

  it.live("offers the sign-in, opens the page once agreed to, and goes on", () =>
    around(async (server, place, env) => {
      const { code, raw } = await atTerminal(place, env, async (session) => {
        await session.sees("Open it in your browser? (y/n)")
        session.types("y")
      })
      assert.strictEqual(code, 0)
      assert.include(raw, "The server notes wants you to open a page")
      assert.include(raw, "you are the one with [token]")
      assert.strictEqual(server.seen.registered, 1)
    }))

  it.live("takes no for an answer", () =>
    around(async (_, place, env) => {
      const { code, raw } = await atTerminal(place, env, async (session) => {
        await session.sees("Open it in your browser? (y/n)")
        session.types("\rxn")
      })
      assert.strictEqual(code, 1)
      assert.include(raw.replace(/\s+/g, " "), "run `toolgate mcp login notes`, then call again")
    }))
})
