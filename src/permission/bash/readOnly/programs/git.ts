/**
 * `git`, where it only shows what the repository has. What its configuration
 * names may run even then (a pager, a file system monitor): the configuration
 * is the user's, so flags that change it or take another one are refused.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../../domain/ShellCommand.ts"
import type { FileUse } from "../../files/FileUse.ts"
import { uses } from "../filesIn.ts"
import type { Program, Programs } from "../Program.ts"
import { type Arguments, hasFlag, valuesOf } from "../readArguments.ts"
import { tailOf } from "../tailOf.ts"
import { diffFlags, gitDangers, logFlags } from "./gitFlags.ts"
import { atMost } from "./text.ts"

const log: Program = {
  flags: `${diffFlags} ${logFlags}`,
  dangers: gitDangers,
  digits: true,
  operands: "reads",
  check: (given) => signed(given),
  files: (given) => revisionFiles(given)
}

const diff: Program = {
  flags: `${diffFlags} --cached --staged --merge-base --no-index --base --ours --theirs -1 -2 -3 -0`,
  dangers: gitDangers,
  digits: true,
  operands: "reads",
  files: (given) => revisionFiles(given, hasFlag(given, "--no-index"))
}

const listing = `
  --contains: --no-contains: --merged: --no-merged: --points-at: --sort: --format: --color? --no-color --column?
  --no-column -i --ignore-case --omit-empty
`

const stashList: Program = { ...log, operands: "reads" }

/**
 * Version control.
 *
 * @category data
 * @since 0.1.0
 */
export const git: Programs = {
  git: {
    flags: `
      -v --version -h --help -P --no-pager --no-optional-locks --no-lazy-fetch --no-replace-objects
      --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
    `,
    dangers: [
      ["-c: --config-env:", "changes the configuration, which names programs to run"],
      [
        `
        -C< --git-dir< --work-tree< --bare --namespace: --attr-source: --super-prefix:
      `,
        "takes another repository or configuration"
      ],
      ["--exec-path? --man-path --html-path --info-path", "takes git's programs from elsewhere"],
      ["-p --paginate", "runs the pager"]
    ],
    operands: "text",
    stops: true,
    subcommands: {
      status: {
        flags: `
          -s --short -b --branch --show-stash --porcelain? --long -v --verbose -u? --untracked-files? --ignored?
          --ignore-submodules? -z --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames
          --find-renames? -M?
        `,
        dangers: gitDangers,
        operands: "reads"
      },
      log,
      show: log,
      whatchanged: log,
      diff,
      "diff-tree": { ...log, flags: `${log.flags} --stdin --root --no-commit-id -v --merge-base` },
      "diff-index": { ...diff, flags: `${diff.flags} -m` },
      "diff-files": { ...diff, flags: `${diff.flags} -q` },
      shortlog: {
        ...log,
        flags: `
        ${logFlags} -s --summary -n --numbered -e --email -c --committer -w? --group: --format:
      `
      },
      reflog: { ...log, check: (given) => ofReflog(given) ?? signed(given) },
      blame: annotate(),
      annotate: annotate(),
      branch: {
        flags: `
          ${listing} -a --all -r --remotes -v --verbose -l --list --show-current --abbrev: --no-abbrev -q --quiet
         
        `,
        dangers: [
          ["-d -D --delete", "deletes branches"],
          ["-m -M --move -c -C --copy", "renames or copies branches"],
          ["-f --force --create-reflog -t? --track? --recurse-submodules", "makes or moves a branch"],
          ["-u: --set-upstream-to: --unset-upstream", "changes what a branch follows"],
          ["--edit-description", "starts an editor"]
        ],
        operands: "text",
        check: (given) =>
          onlyLists(
            given,
            `
          -l --list --contains --no-contains --merged --no-merged --points-at
        `
          ) ?? signed(given)
      },
      tag: {
        flags: `${listing} -l --list -n?`,
        dangers: [
          ["-d --delete", "deletes tags"],
          [
            `
            -a --annotate -s --sign --no-sign -u: --local-user: -f --force -m: --message: -F< --file< -e --edit
            --create-reflog
          `,
            "makes a tag"
          ],
          ["-v --verify", "runs the program that checks signatures"]
        ],
        digits: true,
        operands: "text",
        check: (given) =>
          onlyLists(given, "-l --list --contains --no-contains --merged --no-merged --points-at") ?? signed(given)
      },
      remote: {
        flags: "-v --verbose",
        operands: "text",
        stops: true,
        subcommands: {
          "get-url": { flags: "--push --all", operands: "text" },
          show: {
            flags: "-n -v --verbose",
            operands: "text",
            check: (given) =>
              given.operands.length > 0 && !hasFlag(given, "-n") ? "asks the remote unless `-n` is given" : undefined
          }
        }
      },
      "ls-files": {
        flags: `
          -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k --killed -z
          --directory --no-empty-directory --empty-directory --eol --deduplicate -x: --exclude: -X< --exclude-from<
          --exclude-per-directory: --exclude-standard --error-unmatch --with-tree: --full-name --abbrev? -t -v -f
          --debug --sparse --format: --resolve-undo
        `,
        operands: "reads"
      },
      "ls-tree": {
        flags:
          "-d -r -t -l --long -z --name-only --name-status --object-only --full-name --full-tree --abbrev? --format:",
        operands: "text"
      },
      "ls-remote": {
        flags: "-h --heads --branches -t --tags --refs -q --quiet --exit-code --get-url --sort: --symref",
        dangers: [
          ["--upload-pack: --exec:", "runs the program it names"],
          ["-o: --server-option:", "sends text to the remote"]
        ],
        operands: "text",
        check: ({ operands: [repository] }) =>
          repository === undefined || (repository.value !== undefined && /^\w[\w.-]*$/.test(repository.value))
            ? undefined
            : "with an address reaches out to it"
      },
      "rev-parse": {
        flags: `
          --sq-quote --keep-dashdash --stop-at-non-option --stuck-long --revs-only --no-revs --flags --no-flags
          --default: --prefix: --verify -q --quiet --sq --short? --not --abbrev-ref? --symbolic --symbolic-full-name
          --output-object-format: --all --branches? --tags? --remotes? --glob: --exclude: --exclude-hidden:
          --disambiguate: --local-env-vars --path-format: --git-dir --git-common-dir --resolve-git-dir: --git-path:
          --show-toplevel --show-superproject-working-tree --shared-index-path --absolute-git-dir --is-inside-git-dir
          --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix
          --show-object-format? --show-ref-format --since: --after: --until: --before: --end-of-options
        `,
        operands: "text"
      },
      "rev-list": {
        ...log,
        flags: `
          ${logFlags} --objects-edge-aggressive --indexed-objects --unpacked --filter: --no-filter --disk-usage?
          --use-bitmap-index --quiet --no-commit-header --commit-header --object-names --no-object-names
          --in-commit-order --unsorted
        `
      },
      describe: {
        flags: `
          --dirty? --broken? --all --tags --contains --abbrev: --candidates: --exact-match --debug --long --match:
          --exclude: --always --first-parent
        `,
        operands: "text"
      },
      "name-rev": {
        flags: "--tags --refs: --exclude: --all --name-only --no-undefined --always",
        operands: "text"
      },
      "merge-base": {
        flags: "-a --all --octopus --independent --is-ancestor --fork-point",
        operands: "text"
      },
      "cat-file": {
        flags: `
          -e -t -s -p --allow-unknown-type --batch? --batch-check? --batch-command? --batch-all-objects --buffer
          --unordered --follow-symlinks --use-mailmap --mailmap --no-mailmap -Z -z
        `,
        dangers: [["--textconv --filters --path:", "runs the programs that are set up to convert"]],
        operands: "reads",
        files: (given) => revisionFiles(given)
      },
      "for-each-ref": {
        flags: `
          --count: --sort: --format: --color? -s --shell -p --perl --python --tcl --points-at: --merged? --no-merged?
          --contains? --no-contains? --ignore-case --omit-empty --exclude:
        `,
        operands: "text",
        check: (given) => signed(given)
      },
      "show-ref": {
        flags: `
          --head --heads --branches --tags -d --dereference -s --hash? --verify --exists --abbrev? -q --quiet
          --exclude-existing?
        `,
        operands: "text"
      },
      "symbolic-ref": {
        flags: "-q --quiet --short --recurse --no-recurse",
        dangers: [["-d --delete -m:", "changes the reference"]],
        operands: "text",
        check: atMost(1, "with two names changes the first")
      },
      "count-objects": { flags: "-v --verbose -H --human-readable", operands: "none" },
      "check-ignore": {
        flags: "-q --quiet -v --verbose -n --non-matching --no-index -z --stdin",
        operands: "reads"
      },
      stash: {
        flags: "",
        operands: "text",
        stops: true,
        check: () => "puts changes away",
        subcommands: {
          list: stashList,
          show: { ...diff, flags: `${diff.flags} --include-untracked --no-include-untracked --only-untracked -u` }
        }
      },
      worktree: {
        flags: "",
        operands: "text",
        stops: true,
        subcommands: { list: { flags: "--porcelain -z -v --verbose --expire:", operands: "none" } }
      },
      config: {
        flags: `
          --get --get-all --get-regexp --get-urlmatch -l --list --global --system --local --worktree -f< --file<
          --blob: -t: --type: --no-type --bool --int --bool-or-int --bool-or-str --path --expiry-date -z --null
          --name-only --show-origin --show-scope --includes --no-includes --default: --show-names --no-show-names
          --value: --fixed-value --all --regexp --url:
        `,
        dangers: [
          [
            `
            --add --replace-all --unset --unset-all --rename-section --remove-section --append --comment:
          `,
            "changes the configuration"
          ],
          ["-e --edit", "starts an editor"],
          ["--get-color --get-colorbool", "is not for looking"]
        ],
        operands: "text",
        check: (given) => ofConfig(given)
      },
      grep: {
        flags: `
          --cached --untracked --no-index --index --no-exclude-standard --exclude-standard --recurse-submodules -i
          --ignore-case -w --word-regexp -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P
          --perl-regexp -F --fixed-strings -l --files-with-matches --name-only -L --files-without-match -z --null -o
          --only-matching -c --count --all-match -q --quiet --max-depth: -r --recursive --no-recursive -n
          --line-number --column -A: --after-context: -B: --before-context: -C: --context: -p --show-function -W
          --function-context -f< -e: --and --or --not -a --text -I --no-textconv --color? --no-color --break --heading
          --threads: -m: --max-count:
        `,
        dangers: [...gitDangers, ["-O?", "runs the program it names"], ["--ext-grep", "may run another `grep`"]],
        digits: true,
        operands: "pattern",
        patternFlags: "-e -f",
        here: true,
        recursive: true
      },
      version: { flags: "--build-options", operands: "none" }
    }
  }
}

function annotate(): Program {
  return {
    flags: `
      -b --root --show-stats -L: -l -t -S< --reverse --first-parent -p --porcelain --line-porcelain --incremental
      --encoding: --contents< --date: -M? -C? --score-debug -f --show-name -n --show-number -s -e --show-email -w
      --ignore-rev: --ignore-revs-file< --color-lines --color-by-age --abbrev: --progress --no-progress --minimal -c
      --since: -h
    `,
    dangers: gitDangers,
    operands: "reads",
    files: (given) => revisionFiles(given)
  }
}

// `HEAD:path` names a file of a revision, `-L 1,5:path` one of the working tree.
const revisionFiles = (given: Arguments, recursive = false): ReadonlyArray<FileUse> => {
  const lines = given.options.filter(({ name }) => name === "-L").flatMap(valuesOf).map(afterColon)
  return uses(
    "read",
    [...given.operands, ...lines].flatMap((word) => word.value?.includes(":") ? [word, afterColon(word)] : [word]),
    recursive
  )
}

const afterColon = (word: Word): Word => tailOf(word, word.known[0].lastIndexOf(":") + 1)

const signed = (given: Arguments): string | undefined => {
  const formats = given.options.filter(({ name }) => /^--(format|pretty|sort)$/.test(name)).flatMap(valuesOf)
  const unsure = formats.some((word) => word.value === undefined || /%G|signature/.test(word.value))
  return unsure ? "with such a format may run the program that checks signatures" : undefined
}

const onlyLists = (given: Arguments, names: string): string | undefined =>
  given.operands.length === 0 || hasFlag(given, names) ? undefined : "with a name makes it"

const ofReflog = ({ operands: [first] }: Arguments): string | undefined =>
  first?.value !== undefined && /^(expire|delete|drop|write)$/.test(first.value) ? "forgets what happened" : undefined

const ofConfig = (given: Arguments): string | undefined => {
  const { operands } = given
  const [first, ...rest] = operands
  if (hasFlag(given, "--get --get-all --get-regexp --get-urlmatch -l --list")) return undefined
  if (first?.value === "list" || first?.value === "get") return undefined
  const one = rest.length === 0 && first?.value !== undefined && /^[\w-]+\.[\w.-]+$/.test(first.value)
  return one ? undefined : "without `--get` or `--list` may change the configuration"
}
