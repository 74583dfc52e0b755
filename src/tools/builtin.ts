/**
 * The tools that come with the package.
 *
 * @since 0.1.0
 */
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type { Tool } from "../domain/Tool.ts"
import type { PathResolver } from "../services/PathResolver.ts"
import type { ResultStore } from "../services/ResultStore.ts"
import type { Tasks } from "../services/Tasks.ts"
import { Bash } from "./Bash.ts"
import { Edit } from "./Edit.ts"
import { Glob } from "./Glob.ts"
import { Grep } from "./Grep.ts"
import { NotebookEdit } from "./NotebookEdit.ts"
import { Read } from "./Read.ts"
import { TaskOutput } from "./TaskOutput.ts"
import { TaskStop } from "./TaskStop.ts"
import { TodoWrite } from "./TodoWrite.ts"
import { WebFetch } from "./WebFetch.ts"
import { Write } from "./Write.ts"

/**
 * Every built-in tool, in a fixed order.
 *
 * @category tools
 * @since 0.1.0
 */
export const builtin: ReadonlyArray<Tool<ChildProcessSpawner | PathResolver | ResultStore | Tasks>> = [
  Bash,
  Read,
  Write,
  Edit,
  Glob,
  Grep,
  NotebookEdit,
  WebFetch,
  TodoWrite,
  TaskOutput,
  TaskStop
]
