/** Ten lines of `effect/cli`: what a command costs that is made of the same parts and does nothing. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"

Command.make("greet", { name: Argument.String("name") }, ({ name }) => Console.log(`hello ${name}`)).pipe(
  Command.run({ version: "1.0.0" }),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
