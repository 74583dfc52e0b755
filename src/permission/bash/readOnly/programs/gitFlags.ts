/**
 * Flags that many subcommands of git share, after `git-diff`, `git-log` and
 * `git-rev-list`.
 *
 * @since 0.1.0
 */
import type { Program } from "../Program.ts"

/**
 * How a difference is shown.
 *
 * @category data
 * @since 0.1.0
 */
export const diffFlags = `
  -p -u --patch -s --no-patch -U: --unified: --output-indicator-new: --output-indicator-old:
  --output-indicator-context: --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience
  --histogram --anchored: --diff-algorithm: --stat? --compact-summary --numstat --shortstat -X? --dirstat?
  --cumulative --dirstat-by-file? --summary --patch-with-stat -z --name-only --name-status --color? --no-color
  --color-moved? --no-color-moved --color-moved-ws: --no-color-moved-ws --word-diff? --word-diff-regex: --color-words?
  --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight: --full-index --binary --abbrev?
  --no-abbrev -B? --break-rewrites? -M? --find-renames? -C? --find-copies? --find-copies-harder -D
  --irreversible-delete -l: --diff-filter: -S: -G: --find-object: --pickaxe-all --pickaxe-regex -O< --skip-to:
  --rotate-to: -R --relative? --no-relative -a --text --ignore-cr-at-eol --ignore-space-at-eol -b
  --ignore-space-change -w --ignore-all-space --ignore-blank-lines -I: --ignore-matching-lines: --inter-hunk-context:
  -W --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix:
  --dst-prefix: --no-prefix --default-prefix --line-prefix: --ita-invisible-in-index -c --cc --combined-all-paths -t
  -m -r --no-diff-merges
`

/**
 * Which commits are walked, and how each is printed.
 *
 * @category data
 * @since 0.1.0
 */
export const logFlags = `
  --follow --no-decorate --decorate? --decorate-refs: --decorate-refs-exclude: --clear-decorations --source --mailmap
  --no-mailmap --use-mailmap --full-diff --log-size -L: -n: --max-count: --skip: --since: --after: --since-as-filter:
  --until: --before: --author: --committer: --grep-reflog: --grep: --all-match --invert-grep -i --regexp-ignore-case
  --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty --merges --no-merges
  --min-parents: --max-parents: --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not
  --all --branches? --tags? --remotes? --glob: --exclude: --exclude-hidden: --reflog
  --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry -g
  --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse
  --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk
  --pretty? --format: --abbrev-commit --no-abbrev-commit --oneline --encoding: --expand-tabs? --no-expand-tabs
  --notes? --no-notes --show-notes-by-default --show-notes? --standard-notes --no-standard-notes --relative-date
  --date: --parents --children --left-right --graph --no-graph --show-linear-break? --no-show-signature --diff-merges:
  --dd --remerge-diff --timestamp --count --objects --objects-edge --header
`

/**
 * What any of them does that is more than looking.
 *
 * @category data
 * @since 0.1.0
 */
export const gitDangers: NonNullable<Program["dangers"]> = [
  ["--output>", "writes a file"],
  ["--ext-diff", "runs the program that is set up to compare"],
  ["--textconv", "runs the programs that are set up to convert"],
  ["--show-signature", "runs the program that checks signatures"],
  ["--open-files-in-pager?", "runs the program it names"]
]
