/**
 * What no sandboxed command may make or change, whatever the rules say: files
 * that make a shell, git or another program run something when it starts.
 *
 * @since 0.1.0
 */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"

/**
 * The paths that are closed in a folder that a command may write in.
 *
 * **Details**
 *
 * The runtime closes them where its own process is, which need not be where the
 * command is. A repository is closed as far as it decides what git runs.
 *
 * @category searching
 * @since 0.1.0
 */
export const closedNames = (folder: string): ReadonlyArray<string> => [
  ...names.map((name) => join(folder, name)),
  ...gitNames(join(folder, ".git")),
  ...(existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects")) ? gitNames(folder) : [])
]

const names = [
  ".bash_profile",
  ".bashrc",
  ".claude/agents",
  ".claude/commands",
  ".gitconfig",
  ".gitmodules",
  ".idea",
  ".mcp.json",
  ".profile",
  ".ripgreprc",
  ".vscode",
  ".zprofile",
  ".zshrc"
]

/** The `.git` of a linked worktree or a submodule is a file that says where the repository is. */
const gitNames = (git: string): ReadonlyArray<string> => {
  const found = statSync(git, { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isDirectory() ? [join(git, "config"), join(git, "hooks")] : [git]
}
