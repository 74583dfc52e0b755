/**
 * `gh`, where it shows what GitHub has.
 *
 * @since 0.1.0
 */
import type { Program, Programs } from "../Program.ts"
import { type Arguments, valuesOf } from "../readArguments.ts"

const out = "--json: -q: --jq: -t: --template: --help"
const web: NonNullable<Program["dangers"]> = [["-w --web", "opens a browser"]]

const listing = (flags: string): Program => ({
  flags: `${out} -R: --repo: -L: --limit: ${flags}`,
  dangers: web,
  operands: "text",
  check: (given) => sameHost(given)
})

const group = (subcommands: Programs): Program => ({
  flags: "--help",
  dangers: [["-R: --repo:", "before its subcommand is unclear"]],
  operands: "text",
  stops: true,
  subcommands
})

const status = {
  flags: `
  --json: -q: --jq: -t: --template: --help -c --conflict-status -R: --repo:
`,
  operands: "text"
} as const

/**
 * GitHub.
 *
 * @category data
 * @since 0.1.0
 */
export const github: Programs = {
  gh: {
    flags: "--version --help",
    operands: "text",
    stops: true,
    subcommands: {
      pr: group({
        list: listing(`
          -a: --assignee: -A: --author: --app: -B: --base: -d --draft -H: --head: -l: --label: -S: --search: -s:
          --state:
        `),
        view: listing("-c --comments"),
        diff: listing("--color: --name-only --patch"),
        checks: listing("--watch -i: --interval: --fail-fast --required"),
        status: { ...status, check: (given) => sameHost(given) }
      }),
      issue: group({
        list: listing(`
          -a: --assignee: -A: --author: --app: -l: --label: --mention: -m: --milestone: -S: --search: -s: --state:
        `),
        view: listing("-c --comments"),
        status: { ...status, check: (given) => sameHost(given) }
      }),
      run: group({
        list: listing(`
          -a --all -b: --branch: -c: --commit: --created: -e: --event: -s: --status: -u: --user: --workflow:
        `),
        view: listing("-a: --attempt: --exit-status -j: --job: --log --log-failed -v --verbose")
      }),
      workflow: group({ list: listing("-a --all"), view: listing("-r: --ref: -y --yaml") }),
      release: group({
        list: listing("--exclude-drafts --exclude-pre-releases -O: --order:"),
        view: listing("")
      }),
      repo: group({
        list: listing("--archived --fork -l: --language: --no-archived --source --topic: --visibility:"),
        view: listing("-b: --branch:")
      }),
      label: group({ list: listing("--order: -S: --search: --sort:") }),
      auth: group({
        status: {
          flags: "-a --active -h: --hostname: --help",
          dangers: [["-t --show-token", "shows a secret"]],
          operands: "none"
        }
      })
    }
  }
}

// A repository with a host before its owner, or an address, may be anywhere.
const sameHost = (given: Arguments): string | undefined => {
  const repos = given.options.filter(({ name }) => name === "-R" || name === "--repo").flatMap(valuesOf)
  const named = [...repos, ...given.operands]
  return named.every((word) => word.value !== undefined && isPlain(word.value)) ? undefined : "may ask another host"
}

const isPlain = (name: string): boolean =>
  !name.includes("://") ? name.split("/").length <= 2 : name.startsWith("https://github.com/")
