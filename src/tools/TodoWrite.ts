/**
 * The tool that keeps a list of what is to be done.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "../domain/Tool.ts"

const Todo = Schema.Struct({
  content: Schema.NonEmptyString.annotate({ description: "What is to be done, such as `Run the tests`" }),
  status: Schema.Literals(["pending", "in_progress", "completed"]).annotate({ description: "How far it is" }),
  activeForm: Schema.NonEmptyString.annotate({ description: "The same while it is done, such as `Running the tests`" })
})

const Input = Schema.Struct({
  todos: Schema.Array(Todo).annotate({ description: "The whole list, in the place of the one before" })
})

/**
 * Takes the list of a session. It changes nothing outside: whoever watches the
 * call shows it.
 *
 * @category tools
 * @since 0.1.0
 */
export const TodoWrite: Tool.Tool = Tool.make({
  name: "TodoWrite",
  origin: "builtin",
  description: "Keeps a list of steps, so that you and the person who watches see what is done and what comes next.",
  input: Input,
  validateInput: ({ todos }) => {
    const busy = todos.filter(({ status }) => status === "in_progress").length
    return Effect.succeed(
      busy > 1
        ? { _tag: "Refused", message: `${busy} steps are in progress, and only one can be`, code: 1 }
        : { _tag: "Valid" }
    )
  },
  check: () => Effect.succeed({ _tag: "Allow", reason: "a list of steps changes nothing" }),
  handler: ({ todos }) => Effect.succeed({ todos }),
  render: ({ todos }) => {
    if (todos.length === 0) return "the list is empty"
    return todos.map(({ content, status }) => `${marks[status]} ${content}`).join("\n")
  }
})

const marks = { pending: "[ ]", in_progress: "[>]", completed: "[x]" }
