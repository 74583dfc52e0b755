/**
 * Builds `dist` afresh: JavaScript, declarations, and the maps of both back to `src`, which is published too.
 */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"

rmSync("dist", { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "--project", "tsconfig.build.json"],
  { stdio: "inherit" }
)
process.exitCode = status ?? 1
