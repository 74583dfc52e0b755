/**
 * The scenarios for clients of the protocol's conformance suite, and how one is run.
 */
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js")
const client = fileURLToPath(new URL("conformanceClient.ts", import.meta.url))
const run = promisify(execFile)

/** Every scenario that the installed suite lists. */
export const scenarios = async (): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run(process.execPath, [suite, "list", "--client"])
  return [...stdout.matchAll(/^ *- (\S+)/gm)].map(([, name = ""]) => name)
}

/** Runs a scenario, and gives what the suite said where it did not pass. A warning counts as not passed. */
export const runScenario = async (scenario: string): Promise<string | undefined> => {
  // The suite hands the command to a shell.
  const command = `"${process.execPath}" "${client}"`
  const args = [suite, "client", "--command", command, "--scenario", scenario, "--timeout", "500000"]
  return await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stderr, stdout }) => /OVERALL: PASSED/.test(stdout + stderr) ? undefined : stdout + stderr,
    (error) => `${error.stdout ?? ""}${error.stderr ?? error}`
  )
}

/** The one scenario that measures time: another process that has the processor lets it fall short. */
export const isTimed = (scenario: string): boolean => scenario === "sse-retry"
