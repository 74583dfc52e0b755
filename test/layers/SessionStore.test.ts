import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { empty, SessionState } from "../../src/domain/SessionState.ts"
import { safeName, sessionFolder } from "../../src/layers/files/sessionFolder.ts"
import * as SessionStoreLayers from "../../src/layers/SessionStore.ts"
import { SessionStore } from "../../src/services/SessionStore.ts"
import { until } from "../support/until.ts"
import { withFolder } from "./files/withFolder.ts"

const files = (folder: string) => SessionStoreLayers.layerFiles(folder).pipe(Layer.provide(NodeServices.layer))

const next = (state: SessionState): SessionState => ({ ...state, streak: state.streak + 1 })

const count = (folder: string, key: string, times: number) => {
  const child = spawn(process.execPath, [
    fileURLToPath(new URL("./files/countInSession.ts", import.meta.url)),
    folder,
    key,
    String(times)
  ], { stdio: ["ignore", "inherit", "inherit"] })
  const done = Effect.callback<number | null>((resume) => {
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })
  return { child, done }
}

describe("SessionStore", () => {
  for (const [name, layer] of [["memory", () => SessionStoreLayers.layerMemory], ["files", files]] as const) {
    it.effect(`an unknown session is empty, and a changed one is remembered, in ${name}`, () =>
      withFolder((folder) =>
        Effect.gen(function*() {
          const sessions = yield* SessionStore
          assert.deepStrictEqual(yield* sessions.get("a"), empty)
          yield* sessions.update("a", next)
          assert.deepStrictEqual(yield* sessions.get("a"), { ...empty, streak: 1 })
          assert.deepStrictEqual(yield* sessions.get("b"), empty)
        }).pipe(Effect.provide(layer(folder)))
      ))

    it.effect(`nothing is lost when many change a session at once, in ${name}`, () =>
      withFolder((folder) =>
        Effect.gen(function*() {
          const sessions = yield* SessionStore
          yield* Effect.forEach(Array.from({ length: 50 }), () => sessions.update("a", next), {
            concurrency: "unbounded"
          })
          assert.strictEqual((yield* sessions.get("a")).streak, 50)
        }).pipe(Effect.provide(layer(folder)))
      ))
  }

  it.effect("looking at a session writes nothing, changing one writes for the user alone", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const state = join(folder, "state")
        const sessions = yield* Effect.provide(SessionStore, files(state))
        yield* sessions.get("a")
        assert.isFalse(existsSync(state))
        yield* sessions.update("a", next)
        for (const path of [state, join(state, "sessions"), join(state, "sessions/a")]) {
          assert.strictEqual(statSync(path).mode & 0o777, 0o700, path)
        }
        assert.strictEqual(statSync(join(state, "sessions/a/session.json")).mode & 0o777, 0o600)
        assert.deepStrictEqual(readdirSync(join(state, "sessions/a")), ["session.json"])
      })
    ))

  it.effect("a file that can't be read fails with what to do, and is left as it is", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const sessions = yield* Effect.provide(SessionStore, files(folder))
        mkdirSync(sessionFolder(folder, "a"), { recursive: true })
        const file = join(sessionFolder(folder, "a"), "session.json")
        for (
          const text of [
            "",
            "{ half",
            "[]",
            "{}",
            JSON.stringify({ ...empty, rules: { allow: [], ask: [], deny: [1] } })
          ]
        ) {
          writeFileSync(file, text)
          for (const attempt of [sessions.get("a"), sessions.update("a", next)]) {
            const error = yield* Effect.flip(attempt)
            assert.match(error.message, /session\.json` is not a session that can be read; move it away/)
          }
          assert.strictEqual(readFileSync(file, "utf8"), text)
        }
      })
    ))

  it.effect("a file of an earlier version begins anew only where it knows nothing", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const sessions = yield* Effect.provide(SessionStore, files(folder))
        mkdirSync(sessionFolder(folder, "a"), { recursive: true })
        const rules = { allow: [], ask: [], deny: ["Bash(rm *)"] }
        writeFileSync(
          join(sessionFolder(folder, "a"), "session.json"),
          JSON.stringify({ files: {}, rules, ofTheFuture: true })
        )
        assert.deepStrictEqual(yield* sessions.get("a"), { ...empty, rules })
      })
    ))

  it.effect("a folder that can't be written fails as data", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "state"), "a file is in the way")
        const sessions = yield* Effect.provide(SessionStore, files(join(folder, "state")))
        const error = yield* Effect.flip(sessions.update("a", next))
        assert.strictEqual(error._tag, "StoreFailed")
      })
    ))

  it.live(
    "nothing is lost between processes, one of which is killed on the way",
    () =>
      withFolder((folder) =>
        Effect.gen(function*() {
          const sessions = yield* Effect.provide(SessionStore, files(folder))
          const victim = count(folder, "victim", 1_000_000)
          const workers = [count(folder, "one", 40), count(folder, "two", 40)]
          const file = join(sessionFolder(folder, "shared"), "session.json")
          yield* until(() => existsSync(file))
          // Killed while the lock is there, more often than not.
          for (let turn = 0; turn < 1_000 && !existsSync(`${file}.lock`); turn++) yield* Effect.sleep(1)
          victim.child.kill("SIGKILL")
          const codes = yield* Effect.forEach(workers, (worker) => worker.done, { concurrency: "unbounded" })
          assert.deepStrictEqual(codes, [0, 0])
          const { streaks } = yield* sessions.update("shared", next)
          assert.strictEqual(streaks["one"], 40)
          assert.strictEqual(streaks["two"], 40)
        })
      )
  )

  it.effect.prop(
    "every state is read back as it was written",
    { state: SessionState },
    ({ state }) =>
      withFolder((folder) =>
        Effect.gen(function*() {
          const sessions = yield* Effect.provide(SessionStore, files(folder))
          yield* sessions.update("a", () => state)
          const again = yield* Effect.provide(SessionStore, files(folder))
          // JSON knows no negative zero.
          assert.deepStrictEqual(yield* again.get("a"), JSON.parse(JSON.stringify(state)))
        })
      ),
    { arbitrary: { runs: 30 } }
  )
})

describe("names of session folders", () => {
  const Id = Schema.Union([
    Schema.String,
    Schema.Literals(["a", "A", "a.", ".a", "..", ".", "", "a/b", "a\\b", "a~b", "con", "CON.txt", "é", "a b", "a-b"])
  ])

  it.prop("two ids never share a folder, and none leads out of it", { one: Id, other: Id }, ({ one, other }) => {
    assert.match(safeName(one), /^[a-z0-9-]*~[0-9a-f]{32}$|^[a-z0-9][a-z0-9._-]*$/)
    assert.isBelow(safeName(one).length, 100)
    if (one !== other) assert.notStrictEqual(safeName(one).toLowerCase(), safeName(other).toLowerCase())
  })

  it("plain ids are kept", () => {
    assert.strictEqual(safeName("0b8f9f7e-9d0c-4d43-8c0c-2f8f6f1f2a11"), "0b8f9f7e-9d0c-4d43-8c0c-2f8f6f1f2a11")
    assert.strictEqual(safeName("dir-repo-0123456789abcdef"), "dir-repo-0123456789abcdef")
  })
})

describe("defaultSession", () => {
  const { defaultSession } = SessionStoreLayers

  it("spells a short path, so that people find it and its folder has its name", () => {
    assert.strictEqual(defaultSession("/home/u/my-repo"), "path-home-u-my_2drepo")
    assert.strictEqual(defaultSession("/"), "path-")
    for (const cwd of ["/home/u/my-repo", "/", "/Home/A b"]) {
      assert.strictEqual(safeName(defaultSession(cwd)), defaultSession(cwd))
    }
  })

  it("is a hash for a path that is long, or in another alphabet", () => {
    assert.match(defaultSession(`/home/${"long/".repeat(20)}My Repo`), /^dir-my-repo-[0-9a-f]{16}$/)
    assert.match(defaultSession("/home/é"), /^dir-[0-9a-f]{16}$/)
  })

  const Cwd = Schema.Array(Schema.Literals(["a", "A", "-", "_", ".", "2", "d", "/", "41", "é", "path", " "]))

  it.prop("two folders never share one", { one: Cwd, other: Cwd }, ({ one, other }) => {
    const [a, b] = [`/${one.join("")}`, `/${other.join("")}`]
    if (a !== b) assert.notStrictEqual(safeName(defaultSession(a)), safeName(defaultSession(b)))
  })
})
