import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { standIns } from "../../../src/layers/sandbox/standIns.ts"
import { withFolder } from "../files/withFolder.ts"

interface Place {
  readonly root: string
  readonly state: string
  readonly at: (name: string) => string
  readonly put: ReturnType<typeof standIns>
}

const place = (test: (place: Place) => Effect.Effect<void>): Effect.Effect<void> =>
  withFolder((folder) =>
    Effect.gen(function*() {
      const root = join(folder, "work")
      const state = join(folder, "state")
      mkdirSync(root)
      yield* test({ root, state, at: (name) => join(root, name), put: standIns(state, yield* FileSystem.FileSystem) })
    })
  ).pipe(Effect.provide(NodeFileSystem.layer))

const died = (paths: ReadonlyArray<string>): string =>
  JSON.stringify([
    { owner: JSON.stringify({ pid: 999_999_999, host: hostname(), started: "", token: "x" }), paths }
  ])

describe("standIns", () => {
  it.live("a folder stands for the first part that is missing, and is gone afterwards", () =>
    place(({ at, put, root }) =>
      Effect.gen(function*() {
        mkdirSync(at("there"))
        writeFileSync(at("file"), "")
        const held = yield* put(
          [at("a"), at("b/c"), at("b/d/e"), at("there"), at("there/f"), at("file"), at("file/g")],
          [root]
        )
        assert.deepStrictEqual(held.paths, [at("a"), at("b"), at("there/f")])
        assert.deepStrictEqual(readdirSync(root).sort(), ["a", "b", "file", "there"])
        assert.deepStrictEqual([readdirSync(at("b")), readdirSync(at("there"))], [[], ["f"]])
        yield* held.takeAway
        assert.deepStrictEqual(readdirSync(root).sort(), ["file", "there"])
        assert.deepStrictEqual(readdirSync(at("there")), [])
      })
    ))

  it.live("a file stands for the one that is named, and is gone afterwards unless somebody wrote into it", () =>
    place(({ at, put, root }) =>
      Effect.gen(function*() {
        const first = yield* put([at("a")], [root], at("file"))
        const second = yield* put([], [root], at("file"))
        assert.deepStrictEqual([first.paths, second.paths], [[at("a"), at("file")], [at("file")]])
        assert.strictEqual(readFileSync(at("file"), "utf8"), "")
        yield* first.takeAway
        assert.deepStrictEqual(readdirSync(root), ["file"])
        yield* second.takeAway
        assert.deepStrictEqual(readdirSync(root), [])
        const third = yield* put([], [root], at("file"))
        rmSync(at("file"))
        writeFileSync(at("file"), "theirs")
        yield* third.takeAway
        assert.strictEqual(readFileSync(at("file"), "utf8"), "theirs")
        assert.deepStrictEqual((yield* put([], [root], at("file"))).paths, [])
      })
    ))

  it.live("none is made outside of the roots, through a link either", () =>
    place(({ at, put, root, state }) =>
      Effect.gen(function*() {
        mkdirSync(join(root, "../outside"))
        symlinkSync("../outside", at("link"))
        symlinkSync("nowhere", at("dangling"))
        const paths = [
          join(root, "../outside/a"),
          at("link/b"),
          at("dangling"),
          join(root, "../work2"),
          join(state, "c")
        ]
        assert.deepStrictEqual((yield* put(paths, [root])).paths, [])
        assert.deepStrictEqual(readdirSync(join(root, "../outside")), [])
        assert.isFalse(existsSync(at("nowhere")))
      })
    ))

  it.live("it stays for as long as anybody holds it, whoever made it", () =>
    place(({ at, put, root, state }) =>
      Effect.gen(function*() {
        // A second process, as far as they know of each other.
        const others = standIns(state, yield* FileSystem.FileSystem)
        const first = yield* put([at("a/b")], [root])
        const second = yield* others([at("a/b"), at("a/c")], [root])
        assert.deepStrictEqual(second.paths, [at("a")])
        yield* first.takeAway
        assert.deepStrictEqual(readdirSync(root), ["a"])
        const third = yield* put([at("a")], [root])
        yield* second.takeAway
        assert.deepStrictEqual(readdirSync(root), ["a"])
        yield* third.takeAway
        assert.deepStrictEqual(readdirSync(root), [])
      }).pipe(Effect.provide(NodeFileSystem.layer))
    ))

  it.live("many at once leave nothing", () =>
    place(({ at, put, root }) =>
      Effect.gen(function*() {
        const one = (name: string) =>
          Effect.gen(function*() {
            const { takeAway } = yield* put([at("all"), at(name)], [root])
            yield* Effect.yieldNow
            assert.isTrue(existsSync(at("all")) && existsSync(at(name)))
            yield* takeAway
          })
        yield* Effect.forEach(["a", "b", "c", "d", "a", "b", "c", "d"], one, { concurrency: "unbounded" })
        assert.deepStrictEqual(readdirSync(root), [])
      })
    ))

  it.live("what somebody put there meanwhile stays, and what they removed is no matter", () =>
    place(({ at, put, root }) =>
      Effect.gen(function*() {
        const { takeAway } = yield* put([at("a"), at("b"), at("c")], [root])
        // Only root may write there before.
        chmodSync(at("a"), 0o755)
        writeFileSync(join(at("a"), "theirs"), "1")
        rmdirSync(at("b"))
        rmdirSync(at("c"))
        writeFileSync(at("c"), "theirs")
        yield* takeAway
        assert.deepStrictEqual(readdirSync(root).sort(), ["a", "c"])
        assert.strictEqual(readFileSync(at("c"), "utf8"), "theirs")
      })
    ))

  it.live("what a process left that died is taken away after the next command, in whatever folder", () =>
    place(({ at, put, root, state }) =>
      Effect.gen(function*() {
        mkdirSync(state)
        mkdirSync(at("left"))
        writeFileSync(join(state, "stand-ins.json"), died([at("left"), at("never")]))
        yield* (yield* put([at("a")], [root])).takeAway
        assert.deepStrictEqual(readdirSync(root), [])
      })
    ))

  it.live("a record that can't be read or written costs the folders, not the command", () =>
    place(({ at, put, root, state }) =>
      Effect.gen(function*() {
        mkdirSync(state)
        writeFileSync(join(state, "stand-ins.json"), "{ no json")
        yield* (yield* put([at("a")], [root])).takeAway
        assert.deepStrictEqual(readdirSync(root), [])
        const nowhere = standIns(join(root, "../work/file/state"), yield* FileSystem.FileSystem)
        writeFileSync(at("file"), "")
        assert.deepStrictEqual((yield* nowhere([at("a")], [root])).paths, [])
      }).pipe(Effect.provide(NodeFileSystem.layer))
    ))

  const works = spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0

  it.live.skipIf(!works)(
    "what is left of a command is waited for, also where it takes long to end",
    () =>
      place(({ at, put, root }) =>
        Effect.gen(function*() {
          const { takeAway } = yield* put([at("a")], [root])
          const command = spawn("bwrap", [
            "--bind",
            "/",
            "/",
            "--ro-bind",
            at("a"),
            at("a"),
            "sh",
            "-c",
            "echo; sleep 1"
          ])
          yield* Effect.callback<unknown>((resume) => {
            command.stdout.once("data", () => resume(Effect.void))
          })
          yield* takeAway
          assert.deepStrictEqual(readdirSync(root), [])
        })
      )
  )

  it.live.skipIf(!works)(
    "what a process left that died stays for as long as a command of it goes on",
    () =>
      place(({ at, put, root, state }) =>
        Effect.gen(function*() {
          mkdirSync(state)
          mkdirSync(at("with space"))
          writeFileSync(join(state, "stand-ins.json"), died([at("with space")]))
          const mounts = ["--bind", "/", "/", "--ro-bind", at("with space"), at("with space")]
          const command = spawn("bwrap", [...mounts, "sh", "-c", "echo up; read -r line"])
          yield* Effect.callback<unknown>((resume) => {
            command.stdout.once("data", () => resume(Effect.void))
          })
          yield* (yield* put([at("a")], [root])).takeAway
          assert.deepStrictEqual(readdirSync(root), ["with space"])
          yield* ended(command)
          yield* (yield* put([at("a")], [root])).takeAway
          assert.deepStrictEqual(readdirSync(root), [])
        })
      )
  )
})

const ended = (command: ChildProcess): Effect.Effect<unknown> =>
  Effect.callback((resume) => {
    command.once("exit", () => resume(Effect.void))
    command.stdin?.end("\n")
  })
