import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { Edit } from "../../src/tools/Edit.ts"
import { NotebookEdit } from "../../src/tools/NotebookEdit.ts"
import { Read } from "../../src/tools/Read.ts"
import { Write } from "../../src/tools/Write.ts"
import { bench } from "./runTool.ts"

const root = process.getuid?.() === 0

describe("Write", () => {
  it.live("a new file is made, with its folders", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      assert.strictEqual(
        yield* text(Write, { file_path: "a/b/c.txt", content: "x\ny\n" }),
        `created \`${join(cwd, "a/b/c.txt")}\` (4 bytes, 2 lines)`
      )
      assert.strictEqual(readFileSync(join(cwd, "a/b/c.txt"), "utf8"), "x\ny\n")
      assert.deepStrictEqual(readdirSync(join(cwd, "a/b")), ["c.txt"])
    }))

  it.live("an empty content makes an empty file", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      yield* text(Write, { file_path: "a", content: "" })
      assert.strictEqual(readFileSync(join(cwd, "a"), "utf8"), "")
    }))

  it.live("a file that was not read stays as it is", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      writeFileSync(join(cwd, "a"), "old")
      assert.strictEqual(
        (yield* failure(Write, { file_path: "a", content: "new" })).message,
        "`a` was not read in this session; read it first"
      )
      assert.strictEqual(readFileSync(join(cwd, "a"), "utf8"), "old")
    }))

  it.live("a file that was read and then written may be written again", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a"), "old\nsame\n")
      yield* text(Read, { file_path: "a" })
      const said = yield* text(Write, { file_path: "a", content: "new\nsame\n" })
      assert.include(said, "(9 bytes): lines added 1, removed 1\n@@ -1,2 +1,2 @@\n-old\n+new\n same")
      yield* text(Write, { file_path: "a", content: "newer\n" })
      assert.include(yield* text(Write, { file_path: "a", content: "newer\n" }), "holds exactly that already")
      assert.strictEqual(readFileSync(join(cwd, "a"), "utf8"), "newer\n")
    }))

  it.live("a file that changed since is left alone, one that was only touched is not", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      writeFileSync(join(cwd, "a"), "old")
      yield* text(Read, { file_path: "a" })
      writeFileSync(join(cwd, "a"), "odd")
      assert.strictEqual(
        (yield* failure(Write, { file_path: "a", content: "new" })).message,
        "`a` was changed since it was read; read it again"
      )
      writeFileSync(join(cwd, "a"), "old")
      yield* text(Write, { file_path: "a", content: "new" })
    }))

  it.live("a file of which only a part was read is left alone", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      writeFileSync(join(cwd, "a"), "1\n2\n")
      yield* text(Read, { file_path: "a", limit: 1 })
      assert.include((yield* failure(Write, { file_path: "a", content: "" })).message, "only a part of `a` was read")
    }))

  it.live("the mode is kept", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a"), "old")
      chmodSync(join(cwd, "a"), 0o750)
      yield* text(Read, { file_path: "a" })
      yield* text(Write, { file_path: "a", content: "new" })
      assert.strictEqual(statSync(join(cwd, "a")).mode & 0o777, 0o750)
    }))

  it.live("a new file gets the mode that files get here", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "theirs"), "")
      yield* text(Write, { file_path: "ours", content: "" })
      assert.strictEqual(statSync(join(cwd, "ours")).mode, statSync(join(cwd, "theirs")).mode)
    }))

  it.live("the encoding that a mark names is kept", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "wide"), Buffer.from("\ufeffold", "utf16le"))
      yield* text(Read, { file_path: "wide" })
      yield* text(Write, { file_path: "wide", content: "new" })
      assert.strictEqual(readFileSync(join(cwd, "wide"), "utf16le"), "\ufeffnew")
    }))

  it.live("a link stays and what it leads to is written", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      mkdirSync(join(cwd, "real"))
      writeFileSync(join(cwd, "real/a"), "old")
      symlinkSync("real/a", join(cwd, "link"))
      symlinkSync("real/new", join(cwd, "dangling"))
      yield* text(Read, { file_path: "link" })
      yield* text(Write, { file_path: "link", content: "new" })
      yield* text(Write, { file_path: "dangling", content: "made" })
      assert.strictEqual(readlinkSync(join(cwd, "link")), "real/a")
      assert.strictEqual(readFileSync(join(cwd, "real/a"), "utf8"), "new")
      assert.strictEqual(readlinkSync(join(cwd, "dangling")), "real/new")
      assert.strictEqual(readFileSync(join(cwd, "real/new"), "utf8"), "made")
    }))

  it.live("where a link leads is judged, also of a file that is not there yet", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench({ mayEdit: (path) => !path.includes("/secrets/") })
      mkdirSync(join(cwd, "secrets"))
      symlinkSync("secrets", join(cwd, "folder"))
      symlinkSync("secrets/x", join(cwd, "dangling"))
      for (const file_path of ["folder/new", "folder/deep/new", "dangling"]) {
        assert.include((yield* failure(Write, { file_path, content: "" })).message, "the rules do not open")
      }
      assert.deepStrictEqual(readdirSync(join(cwd, "secrets")), [])
    }))

  it.live.skipIf(process.platform !== "linux")(
    "a folder that is swapped for a link after it was judged gains nothing",
    () =>
      Effect.gen(function*() {
        const { cwd, text } = yield* bench({
          mayEdit: () => {
            renameSync(join(cwd, "open"), join(cwd, "moved"))
            symlinkSync("secrets", join(cwd, "open"))
            return true
          }
        })
        mkdirSync(join(cwd, "secrets"))
        mkdirSync(join(cwd, "open"))
        yield* text(Write, { file_path: "open/deep/new", content: "x" })
        assert.deepStrictEqual(readdirSync(join(cwd, "secrets")), [])
        assert.strictEqual(readFileSync(join(cwd, "moved/deep/new"), "utf8"), "x")
      })
  )

  it.live("a file that changes at the last moment is not overwritten", () =>
    Effect.gen(function*() {
      const { cwd, failure, files, text } = yield* bench()
      writeFileSync(join(cwd, "a"), "old")
      yield* text(Read, { file_path: "a" })
      const state = files.get(join(cwd, "a"))
      files.get = (path) => {
        if (path !== join(cwd, "a")) return undefined
        // Between the first look and the last, as slow as another program would be.
        setImmediate(() => {
          writeFileSync(join(cwd, "b"), "theirs")
          renameSync(join(cwd, "b"), join(cwd, "a"))
        })
        return state
      }
      const failed = yield* failure(Write, { file_path: "a", content: "x".repeat(4_000_000) })
      assert.strictEqual(failed.message, "`a` was changed by somebody else just now; read it again")
      assert.strictEqual(readFileSync(join(cwd, "a"), "utf8"), "theirs")
      assert.deepStrictEqual(readdirSync(cwd), ["a"])
    }))

  it.live("a failure leaves neither file nor folder", () =>
    Effect.gen(function*() {
      const { cwd, failure } = yield* bench()
      const name = "n".repeat(300)
      assert.include((yield* failure(Write, { file_path: `new/${name}`, content: "x" })).message, "too long")
      assert.isFalse(existsSync(join(cwd, "new")))
      writeFileSync(join(cwd, "file"), "")
      assert.include((yield* failure(Write, { file_path: "file/below", content: "x" })).message, "`file/below`")
      assert.deepStrictEqual(readdirSync(cwd), ["file"])
    }))

  it.live.skipIf(!existsSync("/dev/full") || !root)(
    "a full disk leaves the old file and nothing else",
    () =>
      Effect.gen(function*() {
        const { cwd, failure, text } = yield* bench()
        const { execFileSync } = yield* Effect.promise(() => import("node:child_process"))
        const small = join(cwd, "small")
        mkdirSync(small)
        const mounted = yield* Effect.exit(
          Effect.try(() => execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", small], { stdio: "ignore" }))
        )
        if (mounted._tag === "Failure") return
        yield* Effect.gen(function*() {
          writeFileSync(join(small, "a"), "old")
          yield* text(Read, { file_path: "small/a" })
          const failed = yield* failure(Write, { file_path: "small/a", content: "x".repeat(200_000) })
          assert.strictEqual(failed.message, "`small/a` could not be written: the disk is full")
          assert.include(
            (yield* failure(Write, { file_path: "small/d/e", content: "x".repeat(200_000) })).message,
            "full"
          )
          assert.strictEqual(readFileSync(join(small, "a"), "utf8"), "old")
          assert.deepStrictEqual(readdirSync(small), ["a"])
        }).pipe(Effect.ensuring(Effect.sync(() => execFileSync("umount", [small]))))
      })
  )

  it.live("a read-only file and a read-only folder are left alone", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      // Root may write anything, so that root does this with the rights of somebody else.
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          if (!root) return
          for (const folder of [dirname(cwd), cwd]) chownSync(folder, 65_534, 65_534)
          process.seteuid?.(65_534)
        }),
        () =>
          Effect.sync(() => {
            if (root) process.seteuid?.(0)
          })
      )
      // Whether a file may be written is asked for the real user, which stays root.
      if (!root) {
        writeFileSync(join(cwd, "a"), "old")
        yield* text(Read, { file_path: "a" })
        chmodSync(join(cwd, "a"), 0o444)
        assert.include((yield* failure(Write, { file_path: "a", content: "new" })).message, "permission denied")
      }
      mkdirSync(join(cwd, "folder"), { mode: 0o555 })
      assert.include((yield* failure(Write, { file_path: "folder/b", content: "new" })).message, "permission denied")
    }))

  it.live("what is no file is not written to", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      assert.include((yield* failure(Write, { file_path: ".", content: "" })).message, "is a folder")
      assert.include((yield* failure(Write, { file_path: "/dev/null", content: "" })).message, "is a device")
    }))

  it.live("fifty megabytes are written", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      const content = "0123456789abcde\n".repeat(3_276_800)
      assert.include(yield* text(Write, { file_path: "a", content }), "(50 MB, 3276800 lines)")
      assert.strictEqual(statSync(join(cwd, "a")).size, content.length)
    }))

  it.live("a path that ends in a slash, or is an address, is refused before anybody is asked", () =>
    Effect.gen(function*() {
      const { validate } = yield* bench()
      for (const file_path of ["new/", "a/b/", "/", "file:///etc/hosts", "FILE://x"]) {
        assert.strictEqual((yield* validate(Write, { file_path, content: "" }))._tag, "Refused", file_path)
      }
      assert.strictEqual((yield* validate(Write, { file_path: "file:x", content: "" }))._tag, "Valid")
    }))

  it.live("a file in an old encoding that is replaced is shown as it was", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      writeFileSync(join(cwd, "a"), Buffer.from("caf\xe9\n", "latin1"))
      yield* text(Read, { file_path: "a" })
      assert.match(
        yield* text(Write, { file_path: "a", content: "x\n" }),
        /lines added 1, removed 1\n[^]*-caf\ufffd\n\+x$/
      )
    }))

  it.live("what changes a file says that its other names keep the old one", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      const at = (name: string) => join(cwd, name)
      const changes = [
        [Write, { file_path: "a", content: "new" }],
        [Edit, { file_path: "a", old_string: "cells", new_string: "sells" }],
        [NotebookEdit, { notebook_path: "a.ipynb", cell_id: "cell-0", new_source: "", edit_mode: "delete" }]
      ] as const
      for (const [tool, input] of changes) {
        const name = "file_path" in input ? input.file_path : input.notebook_path
        writeFileSync(at(name), "{\"cells\":[{}]}")
        linkSync(at(name), at(`2${name}`))
        yield* text(Read, { file_path: name })
        assert.include(yield* text(tool, input), `\`${at(name)}\`, whose other name keeps the old file`)
        assert.strictEqual(readFileSync(at(`2${name}`), "utf8"), "{\"cells\":[{}]}")
        // It has names of its own from then on.
        yield* text(Read, { file_path: name })
        assert.notInclude(yield* text(Write, { file_path: name, content: "x" }), "other name")
        for (const one of [name, `2${name}`]) rmSync(at(one))
      }
    }))

  it.live.skipIf(!root)(
    "a program that runs with its owner's rights lends nobody else's",
    () =>
      Effect.gen(function*() {
        const { cwd, text } = yield* bench()
        chmodSync(dirname(cwd), 0o777)
        chmodSync(cwd, 0o777)
        const modes = [[0o4755, 0o755], [0o2755, 0o755], [0o6711, 0o711], [0o755, 0o755], [0o1644, 0o1644]] as const
        for (const [index, [before, after]] of modes.entries()) {
          const file = join(cwd, `${index}`)
          writeFileSync(file, "old")
          chmodSync(file, before | 0o444)
          yield* text(Read, { file_path: file })
          yield* Effect.acquireUseRelease(
            Effect.sync(() => {
              process.setegid?.(65_534)
              process.seteuid?.(65_534)
            }),
            () => text(Write, { file_path: file, content: "new" }),
            () =>
              Effect.sync(() => {
                process.seteuid?.(0)
                process.setegid?.(0)
              })
          )
          const { mode, uid } = statSync(file)
          assert.deepStrictEqual([uid, mode & 0o7777], [65_534, after | 0o444])
        }
      })
  )
})
