/**
 * Turns the examples of README, docs and doc comments into tests under `build/doctest`, so that none can lie.
 *
 * A `ts` fence runs as it stands, and `expression // => value` asserts; one marked `ts no-run` only has to
 * type-check. In a `console` fence every `$ command` runs in a scratch copy of the project, and the lines under it
 * are its output, where `…` stands for anything.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import ts from "typescript-6"

const target = "build/doctest"

interface Fence {
  readonly file: string
  readonly line: number
  readonly info: string
  readonly code: string
}

const fencesOf = (file: string): ReadonlyArray<Fence> => {
  const text = readFileSync(file, "utf8")
  const margin = file.endsWith(".ts") ? "[ \\t]*\\*[ \\t]?" : "[ \\t]*"
  const fence = new RegExp(`^(${margin})\`\`\`([^\\n\`]*)\\n([^]*?)^\\1\`\`\`[ \\t]*$`, "gm")
  return Array.from(text.matchAll(fence), ({ 1: prefix = "", 2: info = "", 3: code = "", index }) => ({
    file,
    line: text.slice(0, index).split("\n").length,
    info: info.trim(),
    code: code.split("\n").map((line) => line.slice(prefix.length)).join("\n")
  }))
}

const where = ({ file, line }: Fence) => JSON.stringify(`${file}:${line}`)

const example = (fence: Fence): string => {
  const { code } = fence
  const imports = ["import { assert, it } from \"@effect/vitest\""]
  const body: Array<string> = []
  let compared = 0
  for (const statement of ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true).statements) {
    const text = statement.getText().replace(/^export /, "")
    const expected = /^;?\s*\/\/ => (.*)/.exec(code.slice(statement.end))?.[1]
    if (expected !== undefined) compared++
    if (ts.isImportDeclaration(statement)) imports.push(text)
    else if (expected === undefined) body.push(text)
    else if (ts.isExpressionStatement(statement)) {
      body.push(`assert.deepStrictEqual(${statement.expression.getText()}, ${expected})`)
    } else if (ts.isVariableStatement(statement)) {
      const name = statement.declarationList.declarations.at(-1)?.name.getText()
      body.push(text, `assert.deepStrictEqual(${name}, ${expected})`)
    }
  }
  if (compared !== code.split("// =>").length - 1) {
    throw new Error(
      `${where(fence)}: \`// =>\` must follow an expression or a constant at the top level of the example`
    )
  }
  const [open, close] = fence.info === "ts"
    ? [`it(${where(fence)}, async () => {`, "})"]
    : ["export default async () => {", "}"]
  return [...imports, "", open, ...body, close, ""].join("\n")
}

const session = (fence: Fence): string => {
  const steps = fence.code.split(/^\$ /m).slice(1).map((step) => {
    const [, command = "", output = ""] = /^((?:.*\\\n)*.*)\n?([^]*)$/.exec(step) ?? []
    return { command, output }
  })
  return [
    "import { it } from \"@effect/vitest\"",
    "import { consoleSession } from \"../../scripts/consoleSession.ts\"",
    "",
    `it(${where(fence)}, () => consoleSession(${JSON.stringify(steps, null, 2)}))`,
    ""
  ].join("\n")
}

interface Kind {
  readonly write: (fence: Fence) => string
  readonly suffix: string
}

const kinds: Record<string, Kind> = {
  "ts": { write: example, suffix: ".test.ts" },
  "ts no-run": { write: example, suffix: ".ts" },
  "console": { write: session, suffix: ".test.ts" }
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const fences = globSync(["README.md", "docs/**/*.md", "src/**/*.ts"]).toSorted().flatMap(fencesOf)
let written = 0
for (const fence of fences) {
  const kind = kinds[fence.info]
  if (kind === undefined) continue
  const name = fence.file.replace(/\.\w+$/, "").replaceAll("/", ".")
  writeFileSync(`${target}/${name}.${fence.line}${kind.suffix}`, kind.write(fence))
  written++
}
console.log(`${written} examples in ${target}`)
