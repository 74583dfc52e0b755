/**
 * The program that a command hook is.
 *
 * @since 0.1.0
 */
import type { CommandHook } from "../../domain/Hook.ts"
import type { HookCall } from "../../services/HookRunner.ts"
import type { HookCommand } from "./HookProcess.ts"

/**
 * What is to be started for a command hook: Bash, or without any shell the
 * program itself when the hook has `args`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const commandOf = (hook: CommandHook, { context, policy }: HookCall, stdin: string): HookCommand => {
  const { projectRoot } = policy
  const place = (text: string) => text.replaceAll("${CLAUDE_PROJECT_DIR}", () => projectRoot)
  return {
    file: hook.args === undefined ? "bash" : place(hook.command),
    args: hook.args === undefined ? ["-c", hook.command] : hook.args.map(place),
    cwd: context.cwd,
    env: { ...ownEnvironment(), CLAUDE_PROJECT_DIR: projectRoot },
    stdin
  }
}

// Telemetry that this process is told to send is not the hooks' to send.
const ownEnvironment = (): { readonly [name: string]: string | undefined } =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OTEL_")))
