/**
 * Builds `dist` afresh: JavaScript, declarations, and the maps of both back to `src`, which is published too. The command
 * is bundled, since a thousand small files take longer to find than to run; nobody imports it, so it has no declarations.
 */
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"

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

rmSync("dist/cli", { recursive: true })
const { metafile } = await build({
  entryPoints: ["src/cli/start.ts"],
  outdir: "dist/cli",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.19",
  // Names stay as they are, for stack traces and for errors that are told by their name.
  minifySyntax: true,
  conditions: ["toolgate-source"],
  // The default takes a form of jsonc-parser that can't be bundled.
  mainFields: ["module", "main"],
  external: others.flatMap((name) => [name, `${name}/*`]),
  banner: { js: "import { createRequire } from \"node:module\"; const require = createRequire(import.meta.url)" },
  metafile: true,
  logLevel: "warning"
})

// The client is one small file, in the form that Node starts fastest.
await build({
  entryPoints: ["src/cli/client.ts"],
  outfile: "dist/cli/client.cjs",
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node14",
  minifySyntax: true,
  banner: { js: "#!/usr/bin/env node" },
  logLevel: "warning"
})
chmodSync("dist/cli/client.cjs", 0o755)

// Whoever passes a program on passes on its licenses.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
)
const licenses = [...packages].sort().map((folder) => {
  const [file] = globSync(`${folder}/{LICENSE,LICENCE,license,licence}*`)
  if (file === undefined) throw new Error(`the license of \`${folder}\` is not there`)
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
  return `${name} ${version}\n\n${readFileSync(file, "utf8").trim()}\n`
})
writeFileSync("dist/cli/LICENSES.txt", licenses.join(`\n${"-".repeat(80)}\n\n`))
