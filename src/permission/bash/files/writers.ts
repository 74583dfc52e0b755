/**
 * Programs that make, change, move and remove files, and readers that are not
 * known to only look, for the sake of the files they name.
 *
 * @since 0.1.0
 */
import type { Program, Programs } from "../readOnly/Program.ts"
import { archivers } from "./archivers.ts"
import { curl, wget } from "./downloads.ts"
import { git } from "./gitFiles.ts"
import { runners } from "./runners.ts"
import { dd, patch, perl, shred, split } from "./special.ts"

const backup = "-b --backup? -S: --suffix:"
const towards = `
  ${backup} -t> --target-directory> -T --no-target-directory -f --force -i --interactive? -n --no-clobber -u --update?
  -v --verbose -Z --context? --strip-trailing-slashes --debug --help --version
`
const ownership = `
  -c --changes -f --silent --quiet -v --verbose --dereference -h --no-dereference --from: --no-preserve-root
  --preserve-root --reference< -R --recursive -H -L -P --help --version
`

const owner: Program = { flags: ownership, operands: "thenEdits", recursive: "-R --recursive" }
const reads: Program = { operands: "reads" }
const edits: Program = { operands: "edits" }

/**
 * Everything that touches files beyond what only looks.
 *
 * @category data
 * @since 0.1.0
 */
export const writers: Programs = {
  ...archivers,
  ...runners,
  curl,
  dd,
  git,
  patch,
  perl,
  shred,
  split,
  wget,
  tee: { flags: "-a --append -i --ignore-interrupts -p --output-error? --help --version", operands: "edits" },
  sponge: { flags: "-a", operands: "edits" },
  touch: {
    flags: "-a -c --no-create -d: --date: -f -h --no-dereference -m -r< --reference< -t: --time: --help --version",
    operands: "edits"
  },
  mkdir: { flags: "-m: --mode: -p --parents -v --verbose -Z --context? --help --version", operands: "edits" },
  mkfifo: { flags: "-m: --mode: -Z --context?", operands: "edits" },
  rmdir: { flags: "--ignore-fail-on-non-empty -p --parents -v --verbose --help --version", operands: "removes" },
  rm: {
    flags: `
      -f --force -i -I --interactive? --one-file-system --no-preserve-root --preserve-root? -r -R --recursive -d --dir
      -v --verbose --help --version
    `,
    operands: "removes",
    recursive: "-r -R --recursive"
  },
  unlink: { flags: "--help --version", operands: "removes" },
  trash: { operands: "removes", recursive: true },
  rimraf: { operands: "removes", recursive: true },
  mv: { flags: `${towards} --exchange --no-copy`, operands: "moves", recursive: true },
  cp: {
    flags: `
      ${towards} -a --archive --attributes-only --copy-contents -d -H -l --link -L --dereference -P --no-dereference
      -p --preserve? --no-preserve: --parents -R -r --recursive --reflink? --remove-destination --sparse: -s
      --symbolic-link -x --one-file-system --keep-directory-symlink
    `,
    operands: "copies",
    recursive: "-a --archive -R -r --recursive"
  },
  install: {
    flags: `
      ${towards} -c -C --compare -d --directory -D -g: --group: -m: --mode: -o: --owner: -p --preserve-timestamps -s
      --strip --strip-program:
    `,
    operands: "copies"
  },
  ln: {
    flags: `${towards} -s --symbolic -d -F --directory -L --logical -P --physical -r --relative -h`,
    operands: "links"
  },
  truncate: {
    flags: `
    -c --no-create -o --io-blocks -r< --reference< -s: --size: --help --version
  `,
    operands: "edits"
  },
  fallocate: { flags: "-c -d -i -l: -n -o: -p -z -x -v", operands: "edits" },
  chmod: { flags: ownership, operands: "thenEdits", recursive: "-R --recursive" },
  chown: owner,
  chgrp: owner,
  chattr: owner,
  scp: {
    flags: "-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v -c: -D: -F< -i< -J: -l: -o: -P: -S: -X:",
    operands: "copies",
    recursive: "-r"
  },
  rsync: {
    flags: `
      -v --verbose -q --quiet -c --checksum -a --archive -r --recursive -R --relative -b --backup --backup-dir>
      --suffix: -u --update --inplace --append -d --dirs -l --links -L --copy-links -k -K -H --hard-links -p --perms
      -E -A -X -o --owner -g --group -D -t --times -O -J -S --sparse -n --dry-run -W --whole-file -x --one-file-system
      -B: -e: --rsh: --rsync-path: --existing --ignore-existing --remove-source-files --delete --delete-before
      --delete-during --delete-delay --delete-after --delete-excluded --force --max-delete: --max-size: --min-size:
      --partial --partial-dir> -P -m --temp-dir> -T> --compare-dest< --copy-dest< --link-dest< -z --compress
      --compress-level: --compress-choice: -C -f: --filter: -F --exclude: --exclude-from< --include: --include-from<
      --files-from< -0 -s --address: --port: --sockopts: --stats -8 -h --human-readable --progress -i
      --itemize-changes --info: --debug: --out-format: --log-file> --log-file-format: --password-file< --list-only
      --bwlimit: --write-batch> --read-batch< --protocol: --iconv: --timeout: --contimeout: --chmod: --chown:
      --usermap: --groupmap: --numeric-ids -4 -6
    `,
    operands: "copies",
    recursive: "-a --archive -r --recursive"
  },
  ".": { operands: "reads", stops: true, files: ({ operands: [file] }) => read(file) },
  source: { operands: "reads", stops: true, files: ({ operands: [file] }) => read(file) },
  less: {
    flags: `
      -o> -O> -k< -p: -P: -b: -h: -j: -t: -T< -x: -y: -z: -D: -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R
      -s -S -u -U -V -w -W -X --help
    `,
    operands: "reads"
  },
  more: reads,
  most: reads,
  bat: {
    flags: `
    -l: --language: -H: --highlight-line: --file-name: --tabs: --wrap: --color: --decorations: --paging: --pager:
    --theme: --style: -r: --line-range: -m: --map-syntax: -p --plain -n --number -A --show-all -d --diff -f
  `,
    operands: "reads"
  },
  batcat: reads,
  view: reads,
  iconv: { flags: "-f: --from-code: -t: --to-code: -o> --output> -c -l -s", operands: "reads" },
  csplit: { flags: "-b: -f> --prefix> -k -n: -s -z", operands: "reads", files: ({ operands: [file] }) => read(file) },
  sdiff: reads,
  vim: edits,
  vimdiff: edits,
  vi: edits,
  nvim: edits,
  nano: edits,
  emacs: edits,
  ed: edits,
  ex: edits,
  code: edits,
  sqlite3: {
    operands: "edits",
    files: ({ operands: [file] }) => file === undefined ? [] : [{ access: "edit", word: file, recursive: false }]
  },
  dos2unix: edits,
  unix2dos: edits,
  mkswap: edits
}

function read(word: Parameters<NonNullable<Program["files"]>>[0]["operands"][number] | undefined) {
  return word === undefined ? [] : [{ access: "read", word, recursive: false } as const]
}
