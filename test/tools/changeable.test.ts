import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { HookOutcome } from "../../src/domain/Hook.ts"
import { silent } from "../../src/domain/Hook.ts"
import type { Policy } from "../../src/domain/Policy.ts"
import { textOf } from "../../src/domain/ToolResult.ts"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { layer, Pipeline } from "../../src/pipeline.ts"
import { Edit } from "../../src/tools/Edit.ts"
import { NotebookEdit } from "../../src/tools/NotebookEdit.ts"
import { Read } from "../../src/tools/Read.ts"
import { Write } from "../../src/tools/Write.ts"
import { hooks, services, use } from "../support/services.ts"

interface Given {
  readonly rules?: { readonly allow?: Array<string>; readonly ask?: Array<string>; readonly deny?: Array<string> }
  readonly policy?: Partial<Policy>
  readonly hook?: Partial<HookOutcome>
  /** Done by the person before they say yes. */
  readonly meanwhile?: () => void
}

/** The file tools on real files, with a person who allows what they are asked about. */
const desk = Effect.fnUntraced(function*(given: Given = {}) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "toolgate-desk-")))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const cwd = join(folder, "work")
  for (const place of ["work/secret", "outside"]) mkdirSync(join(folder, place), { recursive: true })
  for (const file of ["work/a.txt", "work/secret/there.ipynb", "outside/there.ipynb"]) {
    writeFileSync(join(folder, file), "one\n")
  }
  const asked: Array<string> = []
  const hooked: Array<string> = []
  const paths = PathResolverLayers.layerNode({ home: join(folder, "home") }).pipe(Layer.provide(NodeServices.layer))
  const { run } = yield* Effect.provide(
    Pipeline,
    yield* Layer.build(
      layer({ session: "desk", cwd, directories: [] }).pipe(
        Layer.provide(Layer.mergeAll(
          services({
            rules: RuleSourcesLayers.layerMemory({ texts: { userSettings: given.rules ?? {} }, ...given.policy }),
            hooks: hooks({
              preToolUse: ({ id }) =>
                Effect.sync(() => {
                  hooked.push(id)
                  return given.hook === undefined ? silent : { ...silent, ...given.hook }
                })
            }),
            approver: ApproverLayers.layerFunction(({ tool }) =>
              Effect.sync(() => {
                asked.push(tool)
                given.meanwhile?.()
                return { _tag: "Once" as const }
              })
            ),
            paths
          }),
          Layer.provide(ToolRegistryLayers.layerTools([Edit, NotebookEdit, Read, Write]), paths)
        ))
      )
    )
  )
  let calls = 0
  const say = (tool: string, input: object) =>
    Effect.map(run(use(tool, input, `call-${calls++}`)), ({ content }) => textOf(content))
  return { asked, cwd, folder, hooked, say }
})

const edit = (file_path: string) => ({ file_path, old_string: "one", new_string: "two" })
const write = (file_path: string) => ({ file_path, content: "two\n" })
const cell = (notebook_path: string) => ({ notebook_path, cell_id: "cell-0", new_source: "two" })

describe("a change that could not be made", () => {
  it.live("is refused before a person is asked, and hooks have seen the call", () =>
    Effect.gen(function*() {
      const { asked, hooked, say } = yield* desk()
      const unread = /<tool_use_error>`a\.txt` was not read in this session; read it first \(code 6\)/
      assert.match(yield* say("Edit", edit("a.txt")), unread)
      assert.match(yield* say("Write", write("a.txt")), unread)
      assert.match(yield* say("Edit", edit("b.txt")), /`b\.txt` does not exist; beside it there is `a\.txt`/)
      assert.match(yield* say("NotebookEdit", cell("b.ipynb")), /`b\.ipynb` does not exist/)
      yield* say("Read", { file_path: "a.txt" })
      assert.match(yield* say("Edit", { ...edit("a.txt"), old_string: "three" }), /`old_string` is not in `a\.txt`/)
      assert.deepStrictEqual(asked, [])
      assert.strictEqual(hooked.length, 6)

      assert.match(yield* say("Edit", edit("a.txt")), /changed/)
      assert.match(yield* say("Write", write("new/b.txt")), /created/)
      assert.deepStrictEqual(asked, ["Edit", "Write"])
    }))

  it.live("is found out again when it runs, if somebody changes the file while the person thinks", () =>
    Effect.gen(function*() {
      let file = ""
      const { asked, cwd, say } = yield* desk({ meanwhile: () => writeFileSync(file, "one and more\n") })
      file = join(cwd, "a.txt")
      yield* say("Read", { file_path: "a.txt" })
      assert.match(yield* say("Edit", edit("a.txt")), /was changed since it was read; read it again/)
      assert.deepStrictEqual(asked, ["Edit"])
      assert.strictEqual(readFileSync(file, "utf8"), "one and more\n")
    }))

  it.live("is refused by the input that a hook put in place of another", () =>
    Effect.gen(function*() {
      const { asked, say } = yield* desk({ hook: { rewritten: edit("a.txt") } })
      assert.match(yield* say("Edit", edit("never.txt")), /`a\.txt` was not read/)
      assert.deepStrictEqual(asked, [])
    }))

  const places: ReadonlyArray<readonly [string, Given, (folder: string) => string]> = [
    ["denied to read", { rules: { deny: ["Read(secret/**)"] } }, () => "secret"],
    ["denied to edit", { rules: { deny: ["Edit(secret/**)"] } }, () => "secret"],
    ["asked about before they are read", { rules: { ask: ["Read(secret/**)"] } }, () => "secret"],
    ["outside of the working directories", {}, (folder) => join(folder, "outside")],
    [
      "hidden from us as rules may be",
      { policy: { unreadable: [{ origin: { source: "userSettings" }, reason: "no" }] } },
      () => "secret"
    ],
    ["reached by a link", {}, (folder) => {
      symlinkSync(join(folder, "outside"), join(folder, "work", "linked"))
      return "linked"
    }]
  ]
  for (const [kind, given, placeOf] of places) {
    it.live(`says nothing of whether files are there that are ${kind}`, () =>
      Effect.gen(function*() {
        const { asked, folder, say } = yield* desk({
          ...given,
          // Once it has been allowed, what is there may show.
          meanwhile: () => assert.isTrue(asked.every((tool) => tool === "Write"))
        })
        const place = placeOf(folder)
        const told = (name: string) =>
          Effect.forEach(
            [
              say("Edit", edit(`${place}/${name}.ipynb`)),
              say("NotebookEdit", cell(`${place}/${name}.ipynb`)),
              Effect.sync(() => String(asked.length)),
              say("Write", write(`${place}/${name}.ipynb`)),
              Effect.sync(() => String(asked.length))
            ],
            (one) => Effect.map(one, (said) => said.replaceAll(name, "NAME"))
          )
        const there = yield* told("there")
        asked.length = 0
        const missing = yield* told("missing")
        const [edited, celled, asks, , asksInAll] = missing
        assert.deepStrictEqual(there.toSpliced(3, 1), missing.toSpliced(3, 1))
        assert.match(edited ?? "", /denies this use of Edit|was not read in this session; read it first \(code 6\)/)
        assert.match(celled ?? "", /denies this use|was not read in this session; read it first \(code 6\)/)
        assert.strictEqual(asks, "0")
        assert.strictEqual(asksInAll, kind.startsWith("denied") ? "0" : "1")
        if (kind.startsWith("denied")) assert.strictEqual(there[3], missing[3])
      }))
  }
})
