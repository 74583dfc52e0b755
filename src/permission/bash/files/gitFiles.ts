/**
 * `git`, where it touches files of the working tree or writes beside it.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import { filesIn, uses } from "../readOnly/filesIn.ts"
import type { Program, Programs } from "../readOnly/Program.ts"
import { git as looking } from "../readOnly/programs/git.ts"
import { type Arguments, hasFlag, readArguments, valuesOf } from "../readOnly/readArguments.ts"
import { below, unwritten } from "../readOnly/tailOf.ts"
import type { FileUse } from "./FileUse.ts"

const writing: Programs = {
  rm: {
    flags: "-f --force -n --dry-run -r --cached --ignore-unmatch -q --quiet --sparse --pathspec-from-file<",
    files: (given) =>
      hasFlag(given, "--cached -n --dry-run") ? [] : uses("remove", given.operands, hasFlag(given, "-r"))
  },
  mv: { flags: "-f --force -k -n --dry-run -v --verbose --sparse", operands: "moves", recursive: true },
  checkout: {
    flags: `
      -b: -B: -f --force -q --quiet -t --track? --detach -l -m --merge --ours --theirs -p --patch --orphan:
      --pathspec-from-file< --conflict:
    `,
    files: (given) => uses("edit", behind(given), true)
  },
  restore: {
    flags: `
      -s: --source: -S --staged -W --worktree -p --patch -q --quiet --ours --theirs -m --merge --conflict:
      --pathspec-from-file<
    `,
    files: (given) =>
      hasFlag(given, "-S --staged") && !hasFlag(given, "-W --worktree") ? [] : uses("edit", given.operands, true)
  },
  clean: {
    flags: "-d -f --force -i -n --dry-run -q --quiet -e: --exclude: -x -X",
    files: (given) =>
      hasFlag(given, "-n --dry-run")
        ? []
        : uses("remove", given.operands.length > 0 ? given.operands : [unwritten(".")], true)
  },
  apply: {
    flags: `
      --stat --numstat --summary --check --index --cached -3 -R -p: -C: --directory: --exclude: --include: -v -q
    `,
    files: (given) => [
      ...uses("read", given.operands),
      ...(hasFlag(given, "--stat --numstat --summary --check --cached") ? [] : changed(given))
    ]
  },
  am: {
    flags: "-3 -s -k -q -u -i --directory: --exclude: --include: -p: -C: --abort --continue --skip --quit",
    files: (given) => [...uses("read", given.operands), ...changed(given)]
  },
  clone: {
    flags: `
      -l -s -q -v -n --bare --mirror --depth: -b: --branch: -o: --origin: --reference: -u: --upload-pack: -c:
      --config: --recurse-submodules? --single-branch --shallow-since: --shallow-exclude: --separate-git-dir>
      --filter: -j: --jobs: --template: --no-checkout --quiet
    `,
    files: ({ operands: [from, to] }) => from === undefined ? [] : uses("edit", [to ?? clonedTo(from)], true)
  },
  init: {
    flags: `
    -q --quiet --bare --template: --separate-git-dir> -b: --initial-branch: --shared?
  `,
    operands: "edits"
  },
  archive: { flags: "--format: -o> --output> --prefix: --add-file< --remote: --exec: -v -l -0 -9", operands: "text" },
  "format-patch": {
    flags: `
    -o> --output-directory> -n -N -s -k --stdout --subject-prefix: -v: --cover-letter --thread? -1 -2 -3
  `,
    operands: "text"
  },
  bundle: {
    stops: true,
    operands: "text",
    files: ({ operands: [verb, file] }) =>
      file === undefined ? [] : uses(verb?.value === "create" ? "edit" : "read", [file])
  },
  worktree: {
    stops: true,
    operands: "text",
    files: ({ operands: [verb, ...rest] }) => ofWorktree(verb?.value, rest)
  }
}

/** Which files a patch changes is in the patch. */
const changed = (given: Arguments): ReadonlyArray<FileUse> => {
  const folders = given.options.filter(({ name }) => name === "--directory").flatMap(valuesOf)
  return uses("edit", folders.length > 0 ? folders : [unwritten(".")], true)
}

const worktree: Program = {
  flags: `
    -f --force -b: -B: -d --detach --checkout --no-checkout --lock --reason: -q --quiet --track --guess-remote
    --orphan
  `
}

const subcommands: Programs = { ...looking["git"]?.subcommands, ...writing }

/**
 * `git` and its subcommands.
 *
 * @category data
 * @since 0.1.0
 */
export const git: Program = {
  stops: true,
  operands: "text",
  flags: `${
    looking["git"]?.flags ?? ""
  } -c: --config-env: -C: --git-dir: --work-tree: --bare --namespace: --exec-path? -p --paginate`,
  files: (given) => {
    const [name, ...rest] = given.operands
    const program = name?.value !== undefined && Object.hasOwn(subcommands, name.value)
      ? subcommands[name.value]
      : undefined
    if (program === undefined) return []
    const folder = given.options.filter(({ name }) => name === "-C").flatMap(valuesOf)
    const place = folder.reduce<Word | undefined>(
      (outer, inner) => outer === undefined ? inner : below(outer, inner),
      undefined
    )
    return inside(program, rest).map((file): FileUse => ({ ...file, word: below(place, file.word) }))
  }
}

// A program with subcommands of its own (`stash show`) is read one word further.
const inside = (program: Program, words: ReadonlyArray<Word>): ReadonlyArray<FileUse> => {
  const given = readArguments(program, words)
  const [name, ...rest] = given.operands
  const further =
    name?.value !== undefined && program.subcommands !== undefined && Object.hasOwn(program.subcommands, name.value)
      ? program.subcommands[name.value]
      : undefined
  return further === undefined ? filesIn(program, given) : inside(further, rest)
}

// Only what stands behind `--` is surely no branch; without it a word may be either.
const behind = ({ ended, operands }: Arguments): ReadonlyArray<Word> =>
  ended === undefined ? operands : operands.slice(ended)

const clonedTo = (from: Word): Word => unwritten(/([^/:]+?)(?:\.git)?\/?$/.exec(from.value ?? "")?.[1] ?? ".")

const ofWorktree = (verb: string | undefined, rest: ReadonlyArray<Word>): ReadonlyArray<FileUse> => {
  const given = readArguments(worktree, rest)
  if (verb === "add") return uses("edit", given.operands.slice(0, 1), true)
  if (verb === "remove") return uses("remove", given.operands.slice(0, 1), true)
  return verb === "move" ? uses("edit", given.operands, true) : []
}
