/**
 * Programs that list, name and measure files, and that tell about text without
 * opening any, after their GNU manual pages. Where BSD and GNU disagree on
 * whether a flag takes a word, that word counts as a file (`<`).
 *
 * @since 0.1.0
 */
import { uses } from "../filesIn.ts"
import type { Program, Programs } from "../Program.ts"
import { unwritten } from "../tailOf.ts"

const filesFrom = "reads the files that another file names"

const ls: Program = {
  flags: `
    -a --all -A --almost-all --author -b --escape --block-size: -B --ignore-backups -c -C --color? -d --directory -D
    --dired -f -F --classify? --file-type --format: --full-time -g --group-directories-first -G --no-group -h
    --human-readable --si -H --dereference-command-line --dereference-command-line-symlink-to-dir --hide:
    --hyperlink? --indicator-style: -i --inode -I< --ignore: -k --kibibytes -l -L --dereference -m -n
    --numeric-uid-gid -N --literal -o -p -q --hide-control-chars --show-control-chars -Q --quote-name
    --quoting-style: -r --reverse -R --recursive -s --size -S --sort: --time: --time-style: -t -T< --tabsize: -u -U
    -v -w< --width: -x -X -Z --context --zero -1 -@ -e -O --help --version
  `,
  operands: "reads",
  here: true
}

/**
 * Listing, naming, measuring.
 *
 * @category data
 * @since 0.1.0
 */
export const coreutils: Programs = {
  ls,
  dir: ls,
  vdir: ls,
  cd: {
    flags: "-L -P -e -@",
    operands: "reads",
    check: ({ operands }) => ofCd(operands.map((word) => word.value)),
    files: ({ operands }) => uses("read", operands.length > 0 ? operands : [unwritten("~")])
  },
  pwd: { flags: "-L -P --logical --physical --help --version", operands: "none" },
  stat: {
    flags: `
      -L --dereference -f --file-system --cached: -c: --format: --printf: -t --terse -x -s -n -r -l -q -F --help
      --version
    `,
    // BSD takes a format after `-f` and `-t` where GNU takes none, so every word counts as a file
    operands: "reads"
  },
  du: {
    flags: `
      -0 --null -a --all --apparent-size -A -B: --block-size: -b --bytes -c --total -D --dereference-args -d:
      --max-depth: -g -H -h --human-readable -I: --inodes -k -L --dereference -l --count-links -m -n -P
      --no-dereference -S --separate-dirs --si -s --summarize -t: --threshold: --time? --time-style: -X<
      --exclude-from< --exclude: -x --one-file-system --help --version
    `,
    dangers: [["--files0-from<", filesFrom]],
    operands: "reads",
    here: true
  },
  df: {
    flags: `
      -a --all -B: --block-size: -h --human-readable -H --si -i --inodes -k -l --local --no-sync --output? -P
      --portability --total -t: --type: -T --print-type -x: --exclude-type: -v -g -m --help --version
    `,
    dangers: [["--sync", "writes what is not yet on disk"]],
    operands: "text"
  },
  basename: { flags: "-a --multiple -s: --suffix: -z --zero --help --version", operands: "text" },
  dirname: { flags: "-z --zero --help --version", operands: "text" },
  realpath: {
    flags: `
      -e --canonicalize-existing -m --canonicalize-missing -L --logical -P --physical -q --quiet --relative-to:
      --relative-base: -s --strip --no-symlinks -z --zero --help --version
    `,
    operands: "reads"
  },
  readlink: {
    flags: `
      -f --canonicalize -e --canonicalize-existing -m --canonicalize-missing -n --no-newline -q --quiet -s --silent -v
      --verbose -z --zero --help --version
    `,
    operands: "reads"
  },
  which: {
    flags: `
    -a -s --all --skip-alias --skip-functions --tty-only --show-dot --show-tilde --version
  `,
    operands: "text"
  },
  whereis: { flags: "-b -m -s -u -f -l -g -B -M -S -h -V --help --version", operands: "text" },
  seq: {
    flags: "-f: --format: -s: --separator: -w --equal-width --help --version",
    digits: true,
    operands: "text",
    stops: true
  },
  numfmt: {
    flags: `
      --debug -d: --delimiter: --field: --format: --from: --from-unit: --grouping --header? --invalid: --padding:
      --round: --suffix: --to: --to-unit: -z --zero-terminated --help --version
    `,
    digits: true,
    operands: "text"
  },
  sleep: { flags: "--help --version", operands: "text" },
  expr: { style: "anything" },
  true: { style: "anything" },
  false: { style: "anything" },
  md5sum: sums(),
  sha1sum: sums(),
  sha224sum: sums(),
  sha256sum: sums(),
  sha384sum: sums(),
  sha512sum: sums(),
  b2sum: sums("-l: --length:"),
  cksum: sums("-a: --algorithm: -l: --length: --untagged --debug --base64 --raw -o:"),
  sum: { flags: "-r -s --sysv --help --version", operands: "reads" },
  shasum: {
    flags: `
      -a: --algorithm: -b --binary -t --text -U --UNIVERSAL -0 --01 -c --check --tag -q --quiet -s --status -w --warn
      --strict --ignore-missing -h --help -v --version
    `,
    operands: "reads"
  },
  md5: { flags: "-q -r -n -t -x -s:", operands: "reads" },
  base64: {
    flags: "-d -D --decode -i --ignore-garbage -w: --wrap: -b: --break: --help --version",
    dangers: [["-o> --output>", "writes a file"]],
    operands: "reads"
  },
  base32: { flags: "-d --decode -i --ignore-garbage -w: --wrap: --help --version", operands: "reads" }
}

function sums(more = "") {
  return {
    flags: `
      -b --binary -c --check --tag -t --text -z --zero --ignore-missing --quiet --status --strict -w --warn --help
      --version ${more}
    `,
    operands: "reads"
  } as const
}

const ofCd = (operands: ReadonlyArray<string | undefined>): string | undefined => {
  if (operands.length === 0) return undefined
  if (operands.length > 1) return "with more than one folder is unclear"
  return operands[0] === "-" ? "goes to a folder that only the running shell knows" : undefined
}
