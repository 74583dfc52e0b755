/**
 * A built-in tool that is judged on the paths of a case and works in the folder
 * that the case's world was moved to.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CallContext } from "../../domain/CallContext.ts"
import type * as Tool from "../../domain/Tool.ts"
import type { Root } from "./Root.ts"
import type { StandIns } from "./StandIn.ts"

/**
 * Moves a tool into a case's folder.
 *
 * @category constructors
 * @since 0.1.0
 */
export const movedTool = <R>(tool: Tool.Tool<R>, root: Root, shared: StandIns): Tool.Tool<R> => ({
  ...tool,
  ...(shared.limit === undefined ? {} : { maxResultSizeChars: shared.limit }),
  prepare: (input) =>
    Result.flatMap(
      tool.prepare(input),
      (asked) =>
        Result.map(tool.prepare(movedInput(asked.input, root)), ({ precondition, ...moved }): Tool.Invocation<R> => ({
          ...asked,
          validate: (context) => moved.validate(place(context, root)),
          check: (context) => moved.check(place(context, root)),
          precondition: precondition && ((context) =>
            precondition({
              ...context,
              call: place(context.call, root),
              mayRead: (path) => context.mayRead(root.told(path))
            })),
          run: (context) =>
            Effect.suspend(() => {
              const note = shared.started(context.id, tool.name, asked.input)
              return Effect.tap(
                moved.run({
                  ...context,
                  call: place(context.call, root),
                  mayRead: (path) => context.mayRead(root.told(path)),
                  mayEdit: (path) => context.mayEdit(root.told(path))
                }),
                ({ value }) => Effect.sync(() => note(value))
              )
            })
        }))
    )
})

const place = (context: CallContext, root: Root): CallContext => ({
  ...context,
  cwd: root.real(context.cwd),
  directories: context.directories.map(root.real)
})

const movedInput = (input: { readonly [key: string]: unknown }, root: Root): { readonly [key: string]: unknown } =>
  Object.fromEntries(
    Object.entries(input).map(([field, value]) => [
      field,
      typeof value !== "string"
        ? value
        : field === "command"
        ? root.moved(value)
        : paths.has(field)
        ? root.real(value)
        : value
    ])
  )

const paths: ReadonlySet<string> = new Set(["file_path", "path", "notebook_path"])
