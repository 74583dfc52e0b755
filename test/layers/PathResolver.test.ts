import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { execFileSync } from "node:child_process"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { ResolvedPath } from "../../src/domain/ResolvedPath.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import { PathResolver } from "../../src/services/PathResolver.ts"
import { withFolder } from "./files/withFolder.ts"

const node = PathResolverLayers.layerNode()

const resolve = (path: string) =>
  Effect.gen(function*() {
    return yield* (yield* PathResolver).resolve(path)
  })

describe("PathResolver.layerVirtual", () => {
  const files = PathResolverLayers.layerVirtual({
    "/repo/src/a.ts": "text",
    "/repo/link": "-> /etc",
    "/repo/relative": "-> ../other/b.txt",
    "/repo/chain": "-> relative",
    "/repo/dangling": "-> /nowhere/x",
    "/repo/loop": "-> loop2",
    "/repo/loop2": "-> /repo/loop",
    "/repo/up": "-> ..",
    "/repo/empty": "dir",
    "/etc/passwd": "file",
    "/other/b.txt": "file",
    "/other/deep/d": "dir",
    "/repo/deep": "-> /other/deep"
  })

  const rows: ReadonlyArray<
    readonly [path: string, written: string, real: ReadonlyArray<string>, kind: ResolvedPath["kind"]]
  > = [
    ["/repo/src/a.ts", "/repo/src/a.ts", [], "file"],
    ["/repo//src/./a.ts", "/repo/src/a.ts", [], "file"],
    ["/repo/src", "/repo/src", [], "directory"],
    ["/repo/empty/", "/repo/empty", [], "directory"],
    ["/", "/", [], "directory"],
    ["/../..", "/", [], "directory"],
    ["/repo/new/x/y", "/repo/new/x/y", [], "missing"],
    ["/repo/link", "/repo/link", ["/etc"], "directory"],
    ["/repo/link/passwd", "/repo/link/passwd", ["/etc/passwd"], "file"],
    ["/repo/link/new/file", "/repo/link/new/file", ["/etc/new/file"], "missing"],
    ["/repo/relative", "/repo/relative", ["/other/b.txt"], "file"],
    ["/repo/chain", "/repo/chain", ["/other/b.txt"], "file"],
    ["/repo/dangling", "/repo/dangling", ["/nowhere/x"], "missing"],
    ["/repo/src/a.ts/below", "/repo/src/a.ts/below", [], "missing"],
    ["/repo/up/etc/passwd", "/repo/up/etc/passwd", ["/etc/passwd"], "file"],
    ["/repo/../etc/passwd", "/etc/passwd", [], "file"],
    // By name this is /repo/b.txt, for a kernel it is beside what the link leads to.
    ["/repo/deep/../b.txt", "/repo/b.txt", ["/other/b.txt"], "file"],
    ["/repo/none/../src/a.ts", "/repo/src/a.ts", [], "file"],
    ["/dev/stdout", "/dev/stdout", [], "other"]
  ]
  for (const [path, written, real, kind] of rows) {
    it.effect(`${path} leads to ${[written, ...real].join(" and ")}`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* resolve(path), { written, real, kind })
      }).pipe(Effect.provide(files)))
  }

  it.effect("a loop of links and a NUL are problems", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* resolve("/repo/loop/x")).problem, "is a loop of links")
      assert.isDefined((yield* resolve("/repo/a\0b")).problem)
    }).pipe(Effect.provide(files)))

  it.effect("knows what it was told", () =>
    Effect.gen(function*() {
      const paths = yield* PathResolver
      assert.deepStrictEqual([paths.home, paths.platform, paths.caseInsensitive], ["/h", "darwin", true])
    }).pipe(Effect.provide(PathResolverLayers.layerVirtual({}, { home: "/h", platform: "darwin" }))))
})

describe("PathResolver.layerNode", () => {
  const Step = Schema.Literals(["a", "b", "l1", "l2", "l3", "..", ".", "f"])

  it.effect.prop(
    "what exists leads where the kernel says",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(7)) },
    ({ steps }) =>
      withFolder((root) =>
        Effect.gen(function*() {
          mkdirSync(join(root, "a/b"), { recursive: true })
          mkdirSync(join(root, "b/a"), { recursive: true })
          for (const folder of ["", "a", "a/b", "b", "b/a"]) writeFileSync(join(root, folder, "f"), "")
          symlinkSync("a/b", join(root, "l1"))
          symlinkSync(join(root, "b"), join(root, "a/l2"))
          symlinkSync("../l1", join(root, "b/l3"))
          symlinkSync("..", join(root, "a/b/l1"))
          const path = [root, ...steps].join("/")
          const kernel = yield* Effect.option(Effect.try(() => realpathSync.native(path)))
          if (kernel._tag === "None") return
          const resolved = yield* resolve(path)
          assert.include([resolved.written, ...resolved.real], kernel.value)
          assert.isUndefined(resolved.problem)
          assert.notStrictEqual(resolved.kind, "missing")
        })
      ).pipe(Effect.provide(node)),
    { arbitrary: { runs: 150 } }
  )

  it.effect("a path that can't be looked at is a problem, one that is not there is none", () =>
    withFolder((root) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* resolve(join(root, "no/such")), {
          written: join(root, "no/such"),
          real: [],
          kind: "missing"
        })
        const long = yield* resolve(join(root, "x".repeat(300)))
        assert.match(long.problem ?? "", /too long a name/)
      })
    ).pipe(Effect.provide(node)))

  it.effect("links of /proc that differ from process to process are problems, and followed all the same", () =>
    Effect.gen(function*() {
      const root = yield* resolve("/proc/self/root/etc/hostname")
      assert.isDefined(root.problem)
      assert.include(root.real, "/etc/hostname")
      assert.isDefined((yield* resolve("/proc/self/fd/1")).problem)
      assert.isDefined((yield* resolve("/dev/fd/1")).problem)
      assert.isDefined((yield* resolve(`/proc/${process.pid}/cwd/x`)).problem)
      assert.isUndefined((yield* resolve("/proc/self/status")).problem)
      assert.strictEqual((yield* resolve("/dev/null")).kind, "other")
    }).pipe(Effect.provide(node)))

  it.effect("a pipe is neither file nor folder", () =>
    withFolder((root) =>
      Effect.gen(function*() {
        execFileSync("bash", ["-c", "mkfifo \"$0\"", join(root, "pipe")])
        assert.strictEqual((yield* resolve(join(root, "pipe"))).kind, "other")
        assert.strictEqual((yield* resolve(dirname(root))).kind, "directory")
      })
    ).pipe(Effect.provide(node)))
})
