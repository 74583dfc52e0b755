import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { atomicWrite } from "../../../src/layers/files/atomicWrite.ts"
import { withFolder } from "./withFolder.ts"

const modeOf = (file: string) => statSync(file).mode & 0o777

describe("atomicWrite", () => {
  it.effect("a new file is for the user alone, an old one keeps its mode, a mode asked for is given", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const file = join(folder, "a.json")
        yield* atomicWrite(file, "one")
        assert.strictEqual(modeOf(file), 0o600)
        chmodSync(file, 0o664)
        yield* atomicWrite(file, "two")
        assert.strictEqual(modeOf(file), 0o664)
        yield* atomicWrite(file, "three", { mode: 0o640 })
        assert.strictEqual(modeOf(file), 0o640)
        assert.strictEqual(readFileSync(file, "utf8"), "three")
        assert.deepStrictEqual(readdirSync(folder), ["a.json"])
      })
    ).pipe(Effect.provide(NodeServices.layer)))

  it.effect("a link keeps being a link", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        mkdirSync(join(folder, "dotfiles"))
        writeFileSync(join(folder, "dotfiles/settings.json"), "old")
        symlinkSync("dotfiles/settings.json", join(folder, "settings.json"))
        yield* atomicWrite(join(folder, "settings.json"), "new")
        assert.isTrue(lstatSync(join(folder, "settings.json")).isSymbolicLink())
        assert.strictEqual(readFileSync(join(folder, "dotfiles/settings.json"), "utf8"), "new")
      })
    ).pipe(Effect.provide(NodeServices.layer)))

  it.effect("a write that fails leaves the old file and nothing beside it", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const target = join(folder, "a folder is in the way")
        mkdirSync(target)
        const error = yield* Effect.flip(atomicWrite(target, "text"))
        assert.strictEqual(error._tag, "PlatformError")
        assert.deepStrictEqual(readdirSync(folder), ["a folder is in the way"])
        assert.strictEqual((yield* Effect.flip(atomicWrite(join(folder, "no/where"), "x"))).reason._tag, "NotFound")
      })
    ).pipe(Effect.provide(NodeServices.layer)))
})
