import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs"
import * as TrustLayers from "../../src/layers/Trust.ts"
import { Trust } from "../../src/services/Trust.ts"
import { type Files, withFiles } from "./settings/withFiles.ts"

const trusting = <A, E>({ at }: Files, use: (trust: Trust["Service"]) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function*() {
    return yield* use(yield* Trust)
  }).pipe(Effect.provide(TrustLayers.layerFiles(at("state")).pipe(Layer.provide(NodeServices.layer))))

describe("Trust.layerFiles", () => {
  it.effect("nothing is trusted, and nothing written, before somebody says so", () =>
    withFiles({}, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          assert.isFalse(yield* trust.isTrusted(files.at("repo")))
          assert.deepStrictEqual(yield* trust.list, [])
          assert.isFalse(files.has("state"))
        }))))

  it.effect("a folder's trust covers what is below it, and nothing beside it", () =>
    withFiles({ "repo/app/a": "", "repo-other/a": "" }, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* trust.trust(files.at("repo/")), files.at("repo"))
          yield* trust.trust(files.at("repo"))
          assert.deepStrictEqual(yield* trust.list, [files.at("repo")])
          assert.isTrue(yield* trust.isTrusted(files.at("repo")))
          assert.isTrue(yield* trust.isTrusted(files.at("repo/app")))
          assert.isFalse(yield* trust.isTrusted(files.at("repo-other")))
          assert.isFalse(yield* trust.isTrusted(files.root))
          assert.isFalse(yield* trust.isTrusted(files.at("repo/gone")))
          assert.isFalse(yield* trust.untrust(files.at("repo/app")))
          assert.isTrue(yield* trust.untrust(files.at("repo")))
          assert.isFalse(yield* trust.isTrusted(files.at("repo/app")))
        }))))

  it.effect("links are followed", () =>
    withFiles({}, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          symlinkSync(files.at("repo"), files.at("link"))
          assert.strictEqual(yield* trust.trust(files.at("link")), files.at("repo"))
          assert.isTrue(yield* trust.isTrusted(files.at("link")))
          renameSync(files.at("repo"), files.at("mine"))
          mkdirSync(files.at("theirs"))
          symlinkSync(files.at("theirs"), files.at("repo"))
          assert.isFalse(yield* trust.isTrusted(files.at("repo")))
        }))))

  it.effect("a folder that is gone can be forgotten, and not be trusted", () =>
    withFiles({}, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          yield* trust.trust(files.at("repo"))
          rmSync(files.at("repo"), { recursive: true })
          assert.isTrue(yield* trust.untrust(files.at("repo")))
          assert.strictEqual((yield* Effect.flip(trust.trust(files.at("repo")))).reason, "is not there")
          files.write("file", "")
          assert.strictEqual((yield* Effect.flip(trust.trust(files.at("file")))).reason, "is no folder")
        }))))

  it.effect("the list is for the user alone", () =>
    withFiles({}, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          yield* trust.trust(files.at("repo"))
          assert.strictEqual(statSync(files.at("state")).mode & 0o777, 0o700)
          assert.strictEqual(statSync(files.at("state/trust.json")).mode & 0o777, 0o600)
          assert.isFalse(files.has("state/trust.json.lock"))
        }))))

  it.effect("a list that can't be read trusts nothing and is never overwritten", () =>
    withFiles({ "state/trust.json": "{ oops" }, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          assert.isFalse(yield* trust.isTrusted(files.at("repo")))
          assert.include((yield* Effect.flip(trust.list)).reason, "move it away")
          yield* Effect.flip(trust.trust(files.at("repo")))
          assert.strictEqual(files.read("state/trust.json"), "{ oops")
        }))))

  it.effect("an entry that is no absolute path covers nothing", () =>
    withFiles(
      { "state/trust.json": { directories: ["", ".", "repo"] } },
      (files) =>
        trusting(files, (trust) =>
          Effect.gen(function*() {
            assert.isFalse(yield* trust.isTrusted(files.at("repo")))
          }))
    ))

  it.effect("several at once lose nothing, and see each other's changes", () =>
    withFiles(
      { "a/x": "", "b/x": "", "c/x": "" },
      (files) =>
        trusting(files, (first) =>
          trusting(files, (second) =>
            Effect.gen(function*() {
              yield* Effect.all([
                first.trust(files.at("a")),
                second.trust(files.at("b")),
                first.trust(files.at("c")),
                second.trust(files.at("repo"))
              ], { concurrency: "unbounded" })
              assert.deepStrictEqual(yield* first.list, ["a", "b", "c", "repo"].map(files.at))
              yield* second.untrust(files.at("a"))
              assert.isFalse(yield* first.isTrusted(files.at("a")))
            })))
    ))
})

describe("the servers of a trusted folder", () => {
  const notes = { name: "notes", written: { command: "npx", args: ["notes"], env: { A: "1", B: "2" } } }

  it.effect("are the same until a member of their configuration is another, in whatever order it is written", () =>
    withFiles({}, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          const change = (written: unknown) => trust.changeOf(files.at("repo"), { name: "notes", written })
          yield* trust.trust(files.at("repo"), [notes])
          assert.isUndefined(yield* change(notes.written))
          assert.isUndefined(yield* change({ env: { B: "2", A: "1" }, args: ["notes"], command: "npx" }))
          const { args, command, env } = notes.written
          const others: ReadonlyArray<readonly [unknown, Array<string>]> = [
            [{ ...notes.written, command: "curl" }, ["command"]],
            [{ ...notes.written, args: [...args, "-x"] }, ["args"]],
            [{ args, command, env: { ...env, LD_PRELOAD: "x" } }, ["env"]],
            [{ args, command }, ["env"]],
            [{ ...notes.written, cwd: "x" }, ["cwd"]],
            [{ url: "https://a.example" }, ["args", "command", "env", "url"]],
            ["npx", ["", "args", "command", "env"]]
          ]
          for (const [written, members] of others) {
            const found = yield* change(written)
            assert.deepStrictEqual(found?._tag === "Changed" ? [...found.members].sort() : found, members)
          }
        }))))

  it.effect("are those that it was trusted with at last, for that very folder, and no longer than that", () =>
    withFiles({ "repo/app/a": "" }, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          const change = (folder: string, server = notes) =>
            Effect.map(trust.changeOf(files.at(folder), server), (found) => found?._tag)
          assert.strictEqual(yield* change("repo"), "Unseen")
          yield* trust.trust(files.at("repo"), [notes])
          assert.strictEqual(yield* change("repo", { ...notes, name: "other" }), "Unseen")
          assert.strictEqual(yield* change("repo", { ...notes, name: "constructor" }), "Changed")
          assert.strictEqual(yield* change("repo/app"), "Unseen")
          symlinkSync(files.at("repo"), files.at("link"))
          assert.isUndefined(yield* change("link"))
          yield* trust.trust(files.at("repo/app"), [notes])
          assert.isUndefined(yield* change("repo/app"))
          assert.isUndefined(yield* change("repo"))
          yield* trust.trust(files.at("repo"))
          assert.strictEqual(yield* change("repo"), "Unseen")
          yield* trust.untrust(files.at("repo/app"))
          assert.strictEqual(yield* change("repo/app"), "Unseen")
        }))))

  it.effect("are kept as checksums alone", () =>
    withFiles({}, (files) =>
      trusting(files, (trust) =>
        Effect.gen(function*() {
          yield* trust.trust(files.at("repo"), [{ name: "notes", written: { command: "npx", env: { KEY: "sk-1" } } }])
          assert.notInclude(files.read("state/trust.json"), "sk-1")
          assert.notInclude(files.read("state/trust.json"), "KEY")
        }))))
})

describe("Trust.layerMemory", () => {
  it.effect("trusts what it was given and told", () =>
    Effect.gen(function*() {
      const trust = yield* Trust
      assert.isTrue(yield* trust.isTrusted("/repo/app"))
      assert.isFalse(yield* trust.isTrusted("/repository"))
      yield* trust.trust("/srv")
      assert.deepStrictEqual(yield* trust.list, ["/repo", "/srv"])
      assert.isTrue(yield* trust.untrust("/repo"))
      assert.isFalse(yield* trust.isTrusted("/repo"))
    }).pipe(Effect.provide(TrustLayers.layerMemory(["/repo"]))))

  it.effect("the root covers everything", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* (yield* Trust).isTrusted("/any/where"))
    }).pipe(Effect.provide(TrustLayers.layerMemory(["/"]))))
})
