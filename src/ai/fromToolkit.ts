/**
 * Tools of the pipeline from an `effect/ai` Toolkit.
 *
 * @since 0.1.0
 */
import * as AiTool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { asText, type Tool } from "../domain/Tool.ts"
import { layerTools } from "../layers/ToolRegistry.ts"
import type { ToolRegistry } from "../services/ToolRegistry.ts"
import { toOutput, toTool } from "./toTool.ts"

/**
 * A Toolkit whose calls can be governed: the input of each tool is read without
 * services, and each has a handler. What a provider runs by itself never passes
 * by here.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Governable<Tools extends Record<string, AiTool.Any>> =
  [AiTool.ParametersDecodingServices<Tools[keyof Tools]>] extends [never] ? unknown
    : "the input of a governed tool has to be read without services"

/**
 * Makes the tools of a Toolkit whose handlers are provided, for
 * `layer({ tools })` or `layerTools`.
 *
 * **Details**
 *
 * Preliminary results are progress. A handler that fails is a tool that failed,
 * whatever its failure mode. What its tools need for each call is in the type of
 * the tools. A tool that its provider runs can't be governed, and is a defect
 * here.
 *
 * **Example** (The weather, governed)
 *
 * ```ts
 * import * as AiTool from "effect/ai/Tool"
 * import * as Toolkit from "effect/ai/Toolkit"
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import { fromToolkit } from "toolgate/ai/fromToolkit"
 *
 * const toolkit = Toolkit.make(AiTool.make("Weather", {
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   success: Schema.String
 * }))
 * const handlers = toolkit.toLayer({ Weather: ({ city }) => Effect.succeed(`clear in ${city}`) })
 *
 * const tools = await Effect.runPromise(fromToolkit(toolkit).pipe(Effect.provide(handlers)))
 * tools.map(({ name }) => name) // => ["Weather"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromToolkit = <Tools extends Record<string, AiTool.Any>>(
  toolkit: Toolkit.Toolkit<Tools> & Governable<Tools>
): Effect.Effect<
  ReadonlyArray<Tool<AiTool.HandlerServices<Tools[keyof Tools]>>>,
  never,
  AiTool.HandlersFor<Tools>
> =>
  // The intersection with `unknown` hides from the compiler that a Toolkit is an Effect.
  Effect.flatMap(toolkit as Toolkit.Toolkit<Tools>, ({ handle, tools }) =>
    // The values of a record are what its type says they are.
    Effect.forEach(Object.values(tools) as unknown as ReadonlyArray<Tools[keyof Tools]>, (tool) =>
      runsElsewhere(tool)
        ? Effect.die(new Error(`the tool \`${tool.name}\` is run by its provider and can't be governed, leave it out`))
        : Effect.succeed(
          toTool(tool, (input, context) =>
            // The input was read by the schema of this very tool.
            toOutput(
              lastOf(
                tool,
                Stream.unwrap(handle(tool.name, input as never, context.id)),
                ({ encodedResult }) => context.progress({ channel: "message", text: `${asText(encodedResult)}\n` })
              )
            ))
        )))

/**
 * Layer that serves the tools of a Toolkit.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerToolkit = <Tools extends Record<string, AiTool.Any>>(
  toolkit: Toolkit.Toolkit<Tools> & Governable<Tools>
): Layer.Layer<ToolRegistry, never, AiTool.HandlersFor<Tools> | AiTool.HandlerServices<Tools[keyof Tools]>> =>
  Layer.unwrap(Effect.map(fromToolkit(toolkit), (tools) => layerTools(tools)))

/**
 * Whether a provider runs a tool itself, so that no call of it comes by.
 *
 * @category checks
 * @since 0.1.0
 */
export const runsElsewhere = (tool: AiTool.Any): boolean => AiTool.isProviderDefined(tool) && !tool.requiresHandler

/**
 * What a handler ends with; what comes before goes to `preliminary`.
 *
 * @category running
 * @since 0.1.0
 */
export const lastOf = <Result extends Pick<AiTool.HandlerResult<AiTool.Any>, "preliminary">, E, R>(
  tool: AiTool.Any,
  results: Stream.Stream<Result, E, R>,
  preliminary: (result: Result) => Effect.Effect<void>
): Effect.Effect<Result, E, R> =>
  Effect.suspend(() => {
    let last: Result | undefined
    return Stream.runForEach(results, (result) => {
      if (result.preliminary) return preliminary(result)
      last = result
      return Effect.void
    }).pipe(
      Effect.andThen(Effect.suspend(() =>
        last === undefined
          ? Effect.die(new Error(`the tool \`${tool.name}\` ended without a result`))
          : Effect.succeed(last)
      ))
    )
  })
