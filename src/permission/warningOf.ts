/**
 * What a person should be warned of before they permit a call.
 *
 * @since 0.1.0
 */
import type { SimpleCommand } from "../domain/ShellCommand.ts"
import { destroys } from "./bash/readOnly/destroys.ts"
import type { Side } from "./Evidence.ts"

/**
 * Returns a warning when a command of the call destroys things.
 *
 * @category getters
 * @since 0.1.0
 */
export const warningOf = ({ demands }: Side): string | undefined => {
  for (const demand of demands) {
    if (demand._tag !== "Command") continue
    const warning = inCommand(demand.command)
    if (warning !== undefined) return warning
  }
  return undefined
}

const inCommand = (command: SimpleCommand): string | undefined =>
  destroys(command) ?? command.inner.map(inCommand).find((warning) => warning !== undefined)
