/**
 * Which beginnings of commands may be offered as a rule with anything after
 * them.
 *
 * @since 0.1.0
 */

/**
 * Beginnings that stay what they are whatever follows: nothing that may come
 * after them deletes, publishes, or names another program to run. Builds and
 * tests run the project's own code, and whoever allows one means just that. `_`
 * is any one plain word, such as the name of a project's own script.
 *
 * @category constants
 * @since 0.1.0
 */
export const harmlessPrefixes: ReadonlyArray<string> = [
  "basename",
  "bun run _",
  "bun test",
  "cargo build",
  "cargo check",
  "cargo clippy",
  "cargo doc",
  "cargo fmt",
  "cargo test",
  "cargo tree",
  "cat",
  "cd",
  "cmp",
  "comm",
  "cut",
  "df",
  "diff",
  "dirname",
  "docker compose logs",
  "docker compose ps",
  "docker images",
  "docker inspect",
  "docker logs",
  "docker ps",
  "du",
  "echo",
  "fold",
  "gh issue list",
  "gh issue view",
  "gh pr checks",
  "gh pr diff",
  "gh pr list",
  "gh pr view",
  "gh repo view",
  "gh run list",
  "gh run view",
  "git add",
  "git commit",
  "git describe",
  "git ls-files",
  "git rev-parse",
  "git status",
  "go doc",
  "grep",
  "head",
  "jq",
  "ls",
  "mkdir",
  "nl",
  "npm ls",
  "npm outdated",
  "npm run _",
  "npm run-script _",
  "npm test",
  "npm view",
  "pnpm list",
  "pnpm run _",
  "pnpm test",
  "printf",
  "pwd",
  "readlink",
  "realpath",
  "sleep",
  "stat",
  "tail",
  "touch",
  "tr",
  "wc",
  "which",
  "yarn run _",
  "yarn test"
]

/**
 * Programs that run what comes in through a pipe, or what only their arguments
 * say: without arguments that name it, a rule for them is a rule for anything.
 *
 * @category constants
 * @since 0.1.0
 */
export const readsProgram: ReadonlySet<string> = new Set([
  "ash",
  "awk",
  "bash",
  "bun",
  "busybox",
  "csh",
  "dash",
  "deno",
  "fish",
  "gawk",
  "irb",
  "ksh",
  "lua",
  "mysql",
  "node",
  "osascript",
  "parallel",
  "perl",
  "php",
  "psql",
  "pwsh",
  "python",
  "python2",
  "python3",
  "ruby",
  "sh",
  "sqlite3",
  "ssh",
  "su",
  "sudo",
  "tclsh",
  "xargs",
  "zsh"
])
