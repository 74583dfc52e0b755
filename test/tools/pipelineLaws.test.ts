import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as ResultStoreLayers from "../../src/layers/ResultStore.ts"
import * as TasksLayers from "../../src/layers/Tasks.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { oneOf, pick } from "../../src/testing/arbitraries/oneOf.ts"
import { BashLimits } from "../../src/tools/BashLimits.ts"
import { builtin } from "../../src/tools/builtin.ts"
import { mostly, Outside, pipelineLaws } from "../support/pipelineLaws.ts"

const text = Arbitrary.schema(Schema.String)
const number = Arbitrary.schema(Schema.Int)
const file = pick(
  "a.txt",
  "b.txt",
  "new/c.txt",
  "book.ipynb",
  "image.png",
  "broken.ipynb",
  "folder",
  "nothing",
  "../outside.txt",
  ".git/config",
  "\ud83d",
  ""
)
const words = pick("one", "two", "(", "[a", "o", "", "\n")

const inputs: { readonly [tool: string]: Arbitrary.Arbitrary<unknown> } = {
  Bash: Arbitrary.all({
    command: pick(
      "echo one",
      "echo one >> made.txt",
      "cat a.txt b.txt nothing",
      "ls; false",
      "exit 3",
      "kill -9 $$",
      "head -c 40000 /dev/zero",
      "printf '\\xff\\xed\\xa0\\x80'; echo two >&2",
      "rm -f made.txt",
      "cd folder && pwd",
      "echo begun > begun; sleep 1000",
      "trap '' TERM; echo begun > begun; sleep 1000 | cat",
      "if",
      "cat <<EOF",
      ""
    ),
    timeout: pick("300", "3000"),
    run_in_background: mostly(pick("false"), pick("true"))
  }),
  Read: oneOf(
    Arbitrary.all({ file_path: oneOf(file, file, file, Arbitrary.Constant("/dev/zero")) }),
    Arbitrary.all({ file_path: file, offset: number, limit: number })
  ),
  Write: Arbitrary.all({ file_path: file, content: text }),
  Edit: Arbitrary.all({
    file_path: file,
    old_string: words,
    new_string: text,
    replace_all: Arbitrary.schema(Schema.Boolean)
  }),
  Glob: Arbitrary.all({
    pattern: pick("**/*", "*.txt", "[", "../*", "{a,b}.txt"),
    path: pick(".", "folder", "nothing")
  }),
  Grep: Arbitrary.all({
    pattern: words,
    path: pick(".", "a.txt", "nothing"),
    output_mode: pick("content", "count", "files_with_matches")
  }),
  NotebookEdit: Arbitrary.all({
    notebook_path: mostly(pick("book.ipynb"), file),
    cell_id: mostly(pick("one"), pick("nothing", "")),
    new_source: text,
    edit_mode: pick("replace", "insert", "delete"),
    cell_type: pick("code", "markdown")
  }),
  WebFetch: Arbitrary.all({
    url: pick("http://127.0.0.1:1/", "file:///etc/passwd", "no address", "http://[::1]/"),
    prompt: text
  }),
  TodoWrite: Arbitrary.all({
    todos: Arbitrary.array(
      Arbitrary.all({ content: text, status: pick("pending", "in_progress", "completed"), activeForm: text }),
      { maxLength: 3 }
    )
  }),
  TaskOutput: Arbitrary.all({ task_id: pick("task_1", "..", "") }),
  TaskStop: Arbitrary.all({ task_id: pick("task_1", "..", "") })
}

/** Makes a folder with one file of each kind. */
const make = (cwd: string): void => {
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(join(cwd, "folder"), { recursive: true })
  mkdirSync(join(cwd, ".git"))
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\n")
  writeFileSync(join(cwd, "b.txt"), Buffer.from([0xff, 0xfe, 0, 1, 2, 3]))
  writeFileSync(join(cwd, "image.png"), Buffer.from("iVBORw0KGgo", "base64"))
  writeFileSync(join(cwd, "broken.ipynb"), "{")
  writeFileSync(
    join(cwd, "book.ipynb"),
    JSON.stringify({
      cells: [{ cell_type: "code", id: "one", metadata: {}, source: [], outputs: [], execution_count: null }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5
    })
  )
}

/** Every file in a folder with what it holds. */
const everything = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return `${path}\0${entry.isFile() ? readFileSync(path, "base64") : ""}`
    })
    .toSorted()
    .join("\n")

/** Processes that stand in a folder; they are ended, so that no other run finds them. */
const standing = (folder: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return []
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
      process.kill(Number(pid), "SIGKILL")
      return [line]
    } catch {
      return []
    }
  })

const inFolder = Layer.unwrap(Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "toolgate-laws-")))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const cwd = join(folder, "work")
  const paths = PathResolverLayers.layerNode({ home: join(folder, "home"), stateDirectories: [join(folder, "state")] })
  return Layer.mergeAll(
    ToolRegistryLayers.layerTools(builtin).pipe(
      Layer.provide(Layer.mergeAll(
        paths,
        TasksLayers.layerFiles(join(folder, "state"), { outlived: false }),
        ResultStoreLayers.layerFiles(join(folder, "state")),
        // Nothing goes on at its time limit, so that no process may be there afterwards.
        Layer.effect(BashLimits, Effect.map(BashLimits, (usual) => ({ ...usual, graceMillis: 100, background: false })))
      ))
    ),
    paths,
    Layer.succeed(Outside, {
      context: { session: "law", cwd, directories: [] },
      begin: Effect.sync(() => make(cwd)),
      look: Effect.sync(() => everything(folder)),
      leftovers: Effect.sync(() => standing(folder))
    })
  ).pipe(Layer.provide(NodeServices.layer))
}))

pipelineLaws({
  name: "the built-in tools",
  layer: inFolder,
  inputs: Object.fromEntries(builtin.map(({ name }) => [name, inputs[name] ?? Arbitrary.Constant(undefined)])),
  opening: [
    { tool: "Read", input: { file_path: "a.txt" } },
    { tool: "Read", input: { file_path: "book.ipynb" } }
  ],
  hangs: (tool, input) => tool === "Bash" && JSON.stringify(input).includes("sleep 1000"),
  live: true,
  runs: 200
})
