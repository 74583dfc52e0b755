import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { decide } from "../../src/permission/decide.ts"
import type { Classifier } from "../../src/services/Classifier.ts"
import type { PathResolver } from "../../src/services/PathResolver.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { gatherEvidence } from "../../src/stages/gatherEvidence.ts"
import { bash, screened } from "../support/calls.ts"
import { context, services } from "../support/services.ts"

const files = {
  "/repo/src/a.ts": "file",
  "/repo/src/deep/b.ts": "file",
  "/repo/src/deep/c.txt": "-> /etc/passwd",
  "/repo/conf/.env": "file",
  "/repo/out": "-> /etc",
  "/repo/keys/k.pem": "-> ../conf/.env",
  "/etc/passwd": "file"
}

const verdict = (command: string, deny: ReadonlyArray<string> = []) =>
  Effect.gen(function*() {
    const call = yield* screened(bash, { command })
    const policy = yield* (yield* RuleSources).policy(context)
    return decide(yield* gatherEvidence(call, policy, yield* Effect.context<Classifier | PathResolver>())).verdict
  }).pipe(
    Effect.provide(services({
      paths: PathResolverLayers.layerVirtual(files),
      rules: RuleSourcesLayers.layerMemory({ texts: { userSettings: { deny } } })
    }))
  )

describe("gatherEvidence", () => {
  it.effect("a glob is judged by what it stands for, links included", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* verdict("cat src/*.ts"), "allow")
      assert.strictEqual(yield* verdict("cat src/*/*.ts"), "allow")
      assert.strictEqual(yield* verdict("cat src/deep/*"), "ask")
      assert.strictEqual(yield* verdict("cat o*/passwd"), "ask")
      assert.strictEqual(yield* verdict("cat ../*"), "ask")
      assert.strictEqual(yield* verdict("cat none/*.txt"), "allow")
    }))

  it.effect("a glob that stands for a denied file is denied", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* verdict("cat conf/.e*", ["Read(.env)"]), "deny")
      assert.strictEqual(yield* verdict("cat keys/*.pem", ["Read(.env)"]), "deny")
      assert.strictEqual(yield* verdict("cat src/*.ts", ["Read(.env)"]), "allow")
    }))

  it.effect("a command that walks a folder is asked about only where a rule is about something in it", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* verdict("grep -rn x src", ["Read(.env)"]), "allow")
      assert.strictEqual(yield* verdict("grep -rn x nothere", ["Read(.env)"]), "allow")
      assert.strictEqual(yield* verdict("grep -rn x .", ["Read(.env)"]), "ask")
      assert.strictEqual(yield* verdict("grep -rn x keys", ["Read(.env)"]), "ask")
    }))

  it.effect("a line that changes files tells nothing of what will lie there", () =>
    Effect.gen(function*() {
      assert.notStrictEqual(yield* verdict("touch src/x && grep -rn x src", ["Read(.env)"]), "allow")
    }))
})
