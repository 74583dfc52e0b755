import { assert, describe, it } from "@effect/vitest"
import { toolNames } from "../../src/domain/toolNames.ts"
import { builtin } from "../../src/tools/builtin.ts"

describe("builtin", () => {
  it("the tools have their names and order", () => {
    assert.deepStrictEqual(
      builtin.map((tool) => tool.name),
      [
        "Bash",
        "Read",
        "Write",
        "Edit",
        "Glob",
        "Grep",
        "NotebookEdit",
        "WebFetch",
        "TodoWrite",
        "TaskOutput",
        "TaskStop"
      ]
    )
    assert.isTrue(builtin.every((tool) => toolNames.has(tool.name) && tool.origin === "builtin"))
  })

  it("every field of every tool is described to the model", () => {
    for (const tool of builtin) {
      // A JSON schema may hold anything; that of a struct has properties that are schemas themselves.
      const properties = tool.jsonSchema()["properties"] as Record<string, { readonly description?: string }>
      for (const [name, property] of Object.entries(properties)) {
        assert.isString(property.description, `${tool.name}.${name}`)
      }
    }
  })

  it("reading and searching may overlap, the rest may not", () => {
    const inputs: Record<string, object> = {
      Bash: { command: "true" },
      Read: { file_path: "a" },
      Write: { file_path: "a", content: "" },
      Edit: { file_path: "a", old_string: "", new_string: "b" },
      Glob: { pattern: "*" },
      Grep: { pattern: "a" },
      NotebookEdit: { notebook_path: "a.ipynb", cell_id: "a", new_source: "" },
      WebFetch: { url: "https://example.com" },
      TodoWrite: { todos: [] },
      TaskOutput: { task_id: "a" },
      TaskStop: { task_id: "a" }
    }
    const overlapping = builtin.flatMap((tool) => {
      const prepared = tool.prepare(inputs[tool.name])
      return prepared._tag === "Success" && prepared.success.concurrencySafe ? [tool.name] : []
    })
    assert.deepStrictEqual(overlapping, ["Read", "Glob", "Grep", "WebFetch", "TaskOutput"])
  })

  it("wrong numbers are refused, numbers written as text are read", () => {
    const [bash] = builtin
    assert.strictEqual(bash?.prepare({ command: "npm test", timeout: -1 })._tag, "Failure")
    assert.strictEqual(bash?.prepare({ command: "npm test", timeout: 1.5 })._tag, "Failure")
    assert.strictEqual(bash?.prepare({ description: "run the tests" })._tag, "Failure")
    const prepared = bash?.prepare({ command: "npm test", timeout: "120000" })
    assert.deepInclude(prepared?._tag === "Success" ? prepared.success.input : {}, { timeout: 120_000 })
  })
})
