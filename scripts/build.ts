/**
 * Builds `dist` afresh: JavaScript, declarations, and the maps of both back to `src`, which is published too. The command
 * is bundled, since a thousand small files take longer to find than to run; nobody imports it, so it has no declarations.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from "rolldown"
import { parseAst } from "rolldown/parseAst"
import { Visitor } from "rolldown/utils"

rmSync("dist", { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "--project", "tsconfig.build.json"],
  { stdio: "inherit" }
)
if (status !== 0) process.exit(status ?? 1)

// What a short command runs through is in the bundle. The other packages are looked up when they are needed.
const bundled = ["effect", "@effect/platform-node", "ignore", "jsonc-parser", "unbash"]
const { dependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"))
const others = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !bundled.includes(name))

interface Graph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: ReadonlyArray<string> } | null
}

/** Adds everything that a module needs at once, itself included. */
const closureOf = (graph: Graph, id: string, found: Set<string>): void => {
  if (found.has(id)) return
  found.add(id)
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) closureOf(graph, imported, found)
}

// Node's own modules that take a while to load, and that most commands can do without.
const heavy = ["child_process", "crypto", "dns/promises", "fs/promises", "net", "readline", "stream"]

/** Loads what takes long when something of it is first used. */
const lateModules = {
  name: "late-modules",
  resolveId: (id: string, importer = "") =>
    heavy.some((name) => id === `node:${name}`)
      ? `\0late:${id}`
      // A thousand strings of spaces, for whoever writes JSON.
      : id === "./string-intern" && importer.includes("/jsonc-parser/")
      ? `\0late:${resolve(dirname(importer), `${id}.js`)}`
      : null,
  load: (id: string) => {
    if (!id.startsWith("\0late:")) return null
    const name = JSON.stringify(id.slice(6))
    return `const load = (_, key) => ${
      name.startsWith("\"node:") ? "process.getBuiltinModule" : "require"
    }(${name})[key]
       module.exports = Object.create(new Proxy({}, { get: load }))`
  }
}

/** Has what tells characters apart made when it is first used: that takes a third as long as Node takes to start. */
const lateSegmenter: Plugin = {
  name: "late-segmenter",
  transform: {
    filter: { id: /\/effect\/dist\/cli\/CliOutput\.js$/ },
    handler: (code) => {
      const late = code.replace(
        /new (Intl\.Segmenter\([^)]*\))/,
        "((made) => ({ segment: (text) => (made ??= new $1).segment(text) }))()"
      )
      if (late === code) throw new Error("CliOutput.js of Effect makes no segmenter here any more")
      return late
    }
  }
}

// In a chunk that is not minified yet.
const exported =
  /^Object\.defineProperty\(exports, (["'][^"']+["']), \{\s+enumerable: true,\s+get: function ?\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);$/gm

/** Has a chunk that others only need later export its hundreds of values at once: a getter each takes long to make. */
const exportedAtOnce = {
  name: "exported-at-once",
  renderChunk: (code: string, { name }: { readonly name: string }) => {
    if (name !== "plain") return null
    const names = settledIn(code)
    const members = Array.from(
      code.matchAll(exported),
      ([, as, value = ""]) => names.has(value) ? `${as}: ${value}` : `get ${as}() { return ${value} }`
    )
    const rest = code.replace(exported, "")
    if (members.length === 0 || /^(?:Object\.\w+\()?(?:module\.)?exports\b/m.test(rest)) {
      throw new Error("rolldown writes exports of a chunk in another form now")
    }
    return `${rest}\nmodule.exports = { __proto__: null, ${members.join(", ")} }\n`
  }
}

/**
 * What a program declares at its top and has from then on. What shares its name with a variable that is assigned
 * anywhere is left out, which is on the safe side.
 */
const settledIn = (code: string): ReadonlySet<string> => {
  const program = parseAst(code)
  const names = new Set<string>()
  for (const statement of program.body) {
    if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration") {
      if (statement.id !== null) names.add(statement.id.name)
    } else if (statement.type === "VariableDeclaration") {
      for (const { id, init } of statement.declarations) {
        const settled = statement.kind === "const" || init?.type === "ClassExpression"
        if (settled && id.type === "Identifier") names.add(id.name)
      }
    }
  }
  const assigned = ({ left }: { readonly left: unknown }) => namesIn(left).forEach((name) => names.delete(name))
  new Visitor({
    AssignmentExpression: assigned,
    ForInStatement: assigned,
    ForOfStatement: assigned,
    UpdateExpression: ({ argument }) => assigned({ left: argument })
  }).visit(program)
  return names
}

/** The names that an assignment to a part of a program, a pattern say, is about. */
const namesIn = (part: unknown): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return []
  if ("type" in part && part.type === "MemberExpression") return []
  if ("type" in part && part.type === "Identifier" && "name" in part) return [String(part.name)]
  return Object.values(part).flatMap(namesIn)
}

const options: InputOptions = {
  platform: "node",
  plugins: [lateModules, lateSegmenter, exportedAtOnce],
  external: (id: string) => others.some((name) => id === name || id.startsWith(`${name}/`)),
  // The default takes a form of jsonc-parser that can't be bundled.
  resolve: { conditionNames: ["toolgate-source", "import", "node"], mainFields: ["module", "main"] }
}
const written: OutputOptions = {
  dir: "dist/cli",
  // Node starts this form fastest.
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  // Functions and classes keep their names, for stack traces and for errors that are told by their name.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
    codegen: { removeWhitespace: true }
  }
}

rmSync("dist/cli", { recursive: true })
const command = await rolldown({
  ...options,
  input: "src/cli/start.ts",
  // It is imported for what it does, in a package whose modules do nothing by themselves.
  treeshake: { moduleSideEffects: [{ test: /\/src\/cli\/main\.ts$/, sideEffects: true }] }
})
let plain: Set<string> | undefined
const plainModules = (graph: Graph): Set<string> => {
  const found = new Set<string>()
  for (const root of ["src/cli/runPlain.ts", "src/toolgate.ts"]) closureOf(graph, resolve(root), found)
  return found
}
const { output } = await command.write({
  ...written,
  // A plain check has all that it needs in one file.
  codeSplitting: {
    groups: [{ debugName: "plain", name: (id, graph) => (plain ??= plainModules(graph)).has(id) ? "plain" : null }]
  }
})
// What is loaded with its compiled code is one function, is read byte by byte, and can't import. Strings are all in
// backticks by now, so that an `import` before one is no part of another.
const [file, ...rest] = globSync("dist/cli/plain-*.cjs")
if (file === undefined || rest.length > 0) throw new Error("most of the command is not in one file any more")
const loadable = readFileSync(file, "utf8")
  .replace(/\bimport\((`[^`]+`)\)/g, "Promise.resolve().then(()=>require($1))")
const refuse = (what: string) => {
  throw new Error(`\`${file}\` can't be loaded with its compiled code: it has ${what}`)
}
new Visitor({
  ImportExpression: () => refuse("an `import()`"),
  MetaProperty: ({ meta }) => meta.name === "import" ? refuse("an `import.meta`") : undefined,
  // Their functions see the text as it is written.
  TaggedTemplateExpression: ({ quasi }) => {
    if (quasi.quasis.some(({ value }) => /[^\0-\x7f]/.test(value.raw))) refuse("a tagged template that is not ASCII")
  }
}).visit(parseAst(loadable, { sourceType: "commonjs" }))
if (/\\[^\0-\x7f]/.test(loadable)) refuse("a backslash before a character that is not ASCII")
const ascii = loadable.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
writeFileSync(file, `(function(exports,require,module,__filename,__dirname){${ascii}\n})`)
// What starts loads it by itself, with its compiled code. A chunk that needs it back while it loads would find nothing in
// it yet.
const chunks = new Map(output.flatMap((chunk) => chunk.type === "chunk" ? [[chunk.fileName, chunk] as const] : []))
for (const { imports, name } of chunks.values()) {
  if (name === "start" && imports.some((file) => chunks.get(file)?.name === "plain")) {
    throw new Error("`start.ts` needs a module that a plain command line needs, too")
  }
  const back = name === "plain"
    ? imports.find((file) => (chunks.get(file)?.imports ?? []).some((own) => chunks.has(own)))
    : undefined
  if (back !== undefined) throw new Error(`\`${back}\` is loaded before what it needs itself`)
}
const client = await rolldown({ ...options, plugins: [], input: "src/cli/client.ts" })
await client.write(written)
chmodSync("dist/cli/client.cjs", 0o755)

// Whoever passes a program on passes on its licenses.
const packages = new Set(
  output.flatMap((chunk) => chunk.type === "chunk" ? chunk.moduleIds : []).flatMap((file) =>
    /^[^\0].*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []
  )
)
const licenses = [...packages].sort().map((folder) => {
  const [file] = globSync(`${folder}/{LICENSE,LICENCE,license,licence}*`)
  if (file === undefined) throw new Error(`the license of \`${folder}\` is not there`)
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
  return `${name} ${version}\n\n${readFileSync(file, "utf8").trim()}\n`
})
writeFileSync("dist/cli/LICENSES.txt", licenses.join(`\n${"-".repeat(80)}\n\n`))
