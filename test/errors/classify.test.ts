import { assert, describe, it } from "@effect/vitest"
import * as PlatformError from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { build } from "esbuild"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { runInNewContext } from "node:vm"
import { classify } from "../../src/errors/classify.ts"
import { ToolFailed } from "../../src/errors/ExecuteError.ts"
import { TelemetrySafeError } from "../../src/errors/TelemetrySafeError.ts"
import * as Every from "./everyError.ts"

const errno = (code: string) => Object.assign(new Error("open '/home/ann/plan.txt'"), { code })

describe("classify", () => {
  it("names an error in the order that is promised", () => {
    assert.strictEqual(classify(new TelemetrySafeError({ message: "the index is stale" })), "the index is stale")
    assert.strictEqual(
      classify(new TelemetrySafeError({ message: "the index is stale", cause: errno("ENOENT") })),
      "the index is stale"
    )
    assert.strictEqual(classify(errno("ENOENT")), "Error:ENOENT")
    assert.strictEqual(classify(Object.assign(errno("EACCES"), { name: "Mine" })), "Error:EACCES")
    assert.strictEqual(classify(new RangeError("ann")), "RangeError")
    assert.strictEqual(classify(new Error("ann")), "Error")
  })

  it("what is no error is unknown", () => {
    for (const thrown of ["ann", 1, null, undefined, {}, { name: "TypeError", code: "ENOENT" }, Symbol("ann")]) {
      assert.strictEqual(classify(thrown), "UnknownError")
    }
  })

  it("looks for the errno through causes, those of the platform included", () => {
    const deep = new Error("a", { cause: new Error("b", { cause: errno("ENOSPC") }) })
    assert.strictEqual(classify(deep), "Error:ENOSPC")
    assert.strictEqual(classify(new ToolFailed({ reason: "ann", cause: errno("EISDIR") })), "Error:EISDIR")
    const platform = PlatformError.systemError({
      _tag: "NotFound",
      module: "FileSystem",
      method: "open",
      pathOrDescriptor: "/home/ann/plan.txt",
      cause: errno("ENOENT")
    })
    assert.strictEqual(classify(platform), "Error:ENOENT")
  })

  it("a circle of causes comes to an end", () => {
    const error = new Error("a")
    error.cause = error
    assert.strictEqual(classify(error), "Error")
  })

  it("a code that is no errno is left alone", () => {
    for (const code of ["/home/ann", "ann", "ERR_ANN_1", 2, "E", "ENOENT /home/ann"]) {
      assert.strictEqual(classify(Object.assign(new TypeError("x"), { code })), "TypeError")
    }
  })

  it("names and messages that hold something else become `Error`", () => {
    const names = [
      "",
      "t",
      "abc",
      "/home/ann/plan",
      "ann@example.org",
      "two words",
      "k3y9f20c71e",
      "x".repeat(200),
      "a-b"
    ]
    for (const name of names) assert.strictEqual(classify(Object.assign(new Error("m"), { name })), "Error", name)
    const messages = ["open /home/ann", "user 4711 is gone", "a\nb", "", "x ".repeat(100), "no `plan`", "naïve ann"]
    for (const message of messages) assert.strictEqual(classify(new TelemetrySafeError({ message })), "Error", message)
  })

  it("an error of another realm is an error, and one that can't be read does no harm", () => {
    assert.strictEqual(classify(runInNewContext("new TypeError('ann')")), "TypeError")
    const trap = Object.defineProperties(new Error("x"), {
      name: {
        get: () => {
          throw new Error("no name")
        }
      },
      code: {
        get: () => {
          throw new Error("no code")
        }
      }
    })
    assert.strictEqual(classify(trap), "Error")
  })

  it.prop("nothing of a path, a message or a token ever comes through", {
    text: Schema.String,
    hex: Schema.String.check(Schema.isPattern(/^[0-9a-f]{24}$/))
  }, ({ hex, text }) => {
    const secret = `/${text} ${hex}`
    const errors = [
      new Error(secret),
      new TelemetrySafeError({ message: secret }),
      Object.assign(new Error(secret), { name: secret, code: secret }),
      new ToolFailed({ reason: secret, output: secret, cause: new Error(secret) }),
      secret
    ]
    for (const error of errors) assert.notInclude(classify(error), hex)
  })

  it("a build by a minifier names every error alike", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-minified-"))
    try {
      const outfile = join(folder, "everyError.mjs")
      await build({
        entryPoints: [join(import.meta.dirname, "everyError.ts")],
        bundle: true,
        minify: true,
        format: "esm",
        platform: "node",
        logLevel: "silent",
        outfile
      })
      const built: unknown = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
      const { nameByClass, names } = Schema.decodeUnknownSync(
        Schema.Struct({ names: Schema.Array(Schema.String), nameByClass: Schema.String })
      )({ ...Object(built) })
      assert.deepStrictEqual(names, Every.names)
      // The class's name did get lost, and was not taken for one.
      assert.strictEqual(Every.nameByClass, "NamedByItsClass")
      assert.strictEqual(nameByClass, "Error")
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
