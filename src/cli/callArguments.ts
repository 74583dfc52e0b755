/**
 * The arguments that name a tool call.
 *
 * @since 0.1.0
 */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

/**
 * Arguments and flags of a command that takes one call.
 *
 * @category arguments
 * @since 0.1.0
 */
export const callArguments = {
  tool: Argument.String("tool").pipe(
    Argument.withDescription("Name of the tool, see `toolgate tools`"),
    Argument.optional
  ),
  input: Argument.String("input").pipe(
    Argument.withDescription("Its input as JSON; `-` reads standard input, `@FILE` a file"),
    Argument.optional
  ),
  toolUse: Flag.String("tool-use").pipe(
    Flag.withMetavar("JSON|-|@FILE"),
    Flag.withDescription("A whole tool_use block in place of TOOL and INPUT"),
    Flag.optional
  )
}
