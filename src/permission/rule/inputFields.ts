/**
 * The input fields of built-in tools, for rules on one field of the input.
 *
 * @since 0.1.0
 */

/**
 * Returns the fields that a rule on the tool's input may name, or undefined for
 * a tool that is not built in: there any name may be a field.
 *
 * @category getters
 * @since 0.1.0
 */
export const inputFields = (tool: string): ReadonlySet<string> | undefined => fields.get(tool)

/**
 * Says whether a tool's own rules are about this field, so that a rule on the
 * field would be a second, weaker way to say the same.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isPrimaryField = (tool: string, field: string): boolean => primary.get(tool) === field

const primary: ReadonlyMap<string, string> = new Map([
  ["Bash", "command"],
  ["Edit", "file_path"],
  ["Glob", "path"],
  ["Grep", "path"],
  ["Monitor", "command"],
  ["NotebookEdit", "notebook_path"],
  ["PowerShell", "command"],
  ["Read", "file_path"],
  ["WebFetch", "url"],
  ["Write", "file_path"]
])

const shell = ["command", "timeout", "description", "run_in_background", "dangerouslyDisableSandbox"]

const fields: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Agent: ["description", "prompt", "subagent_type", "model", "run_in_background", "name", "isolation"],
    Bash: shell,
    Edit: ["file_path", "old_string", "new_string", "replace_all"],
    Glob: ["pattern", "path"],
    Grep: [
      "pattern",
      "path",
      "glob",
      "type",
      "output_mode",
      "-i",
      "-o",
      "-n",
      "-A",
      "-B",
      "-C",
      "context",
      "head_limit",
      "offset",
      "multiline"
    ],
    Monitor: ["command", "ws", "description", "timeout_ms", "persistent"],
    NotebookEdit: ["notebook_path", "cell_id", "new_source", "cell_type", "edit_mode"],
    PowerShell: shell,
    Read: ["file_path", "offset", "limit", "pages"],
    Skill: ["skill", "args"],
    WebFetch: ["url", "prompt"],
    WebSearch: ["query", "allowed_domains", "blocked_domains"],
    Write: ["file_path", "content"]
  }).map(([tool, names]) => [tool, new Set(names)])
)
