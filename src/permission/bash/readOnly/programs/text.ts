/**
 * Programs that print, cut, join, sort and compare text, after their manual
 * pages.
 *
 * @since 0.1.0
 */
import { mayBecomeMany } from "../mayBecomeFlag.ts"
import type { Program, Programs } from "../Program.ts"
import { type Arguments, hasFlag } from "../readArguments.ts"

const filesFrom = "reads the files that another file names"

/**
 * Text in, text out.
 *
 * @category data
 * @since 0.1.0
 */
export const text: Programs = {
  cat: {
    flags: `
      -A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank -t -T --show-tabs -u -v
      --show-nonprinting -l --help --version
    `,
    operands: "reads"
  },
  head: {
    flags: "-c: --bytes: -n: --lines: -q --quiet --silent -v --verbose -z --zero-terminated --help --version",
    digits: true,
    operands: "reads"
  },
  tail: {
    flags: `
      -c: --bytes: -f --follow? -F -n: --lines: --max-unchanged-stats: --pid: -q --quiet --silent --retry -s:
      --sleep-interval: -v --verbose -z --zero-terminated -r -b: --help --version
    `,
    digits: true,
    operands: "reads"
  },
  wc: {
    flags: "-c --bytes -m --chars -l --lines -L --max-line-length -w --words --total: --help --version",
    dangers: [["--files0-from<", filesFrom]],
    operands: "reads"
  },
  tac: { flags: "-b --before -r --regex -s: --separator: --help --version", operands: "reads" },
  rev: { flags: "-0 --zero -h --help -V --version", operands: "reads" },
  nl: {
    flags: `
      -b: --body-numbering: -d: --section-delimiter: -f: --footer-numbering: -h: --header-numbering: -i:
      --line-increment: -l: --join-blank-lines: -n: --number-format: -p --no-renumber -s: --number-separator: -v:
      --starting-line-number: -w: --number-width: --help --version
    `,
    operands: "reads"
  },
  cut: {
    flags: `
      -b: --bytes: -c: --characters: -d: --delimiter: -f: --fields: -n --complement -s --only-delimited
      --output-delimiter: -z --zero-terminated -w --help --version
    `,
    operands: "reads"
  },
  paste: { flags: "-d: --delimiters: -s --serial -z --zero-terminated --help --version", operands: "reads" },
  join: {
    flags: `
      -a: -e: -i --ignore-case -j: -o: -t: -v: -1: -2: --check-order --nocheck-order --header -z --zero-terminated
      --help --version
    `,
    operands: "reads"
  },
  tr: {
    flags: "-c -C --complement -d --delete -s --squeeze-repeats -t --truncate-set1 -u --help --version",
    operands: "text"
  },
  column: {
    flags: `
      -t --table -n< --table-name: -O: --table-order: -C: --table-column: -N: --table-columns: -l:
      --table-columns-limit: -E: --table-noextreme: -d --table-noheadings -m --table-maxout -e --table-header-repeat
      -H: --table-hide: -R: --table-right: -T: --table-truncate: -W: --table-wrap: -L --keep-empty-lines -J --json -r:
      --tree: -i: --tree-id: -p: --tree-parent: -c: --output-width: -o: --output-separator: -s: --separator: -x
      --fillrows -h --help -V --version
    `,
    operands: "reads"
  },
  fold: { flags: "-b --bytes -s --spaces -w: --width: --help --version", digits: true, operands: "reads" },
  fmt: {
    flags: `
      -c --crown-margin -p< --prefix: -s --split-only -t --tagged-paragraph -u --uniform-spacing -w: --width: -g:
      --goal: --help --version
    `,
    digits: true,
    operands: "reads"
  },
  expand: { flags: "-i --initial -t: --tabs: --help --version", digits: true, operands: "reads" },
  unexpand: { flags: "-a --all --first-only -t: --tabs: --help --version", digits: true, operands: "reads" },
  comm: {
    flags: `
      -1 -2 -3 --check-order --nocheck-order --output-delimiter: --total -z --zero-terminated -i --help --version
    `,
    operands: "reads"
  },
  cmp: {
    flags: `
      -b --print-bytes -i: --ignore-initial: -l --verbose -n< --bytes: -s --quiet --silent -h -x -z -v --help
      --version
    `,
    operands: "reads"
  },
  diff: {
    flags: `
      --normal -q --brief -s --report-identical-files -c -C: --context? -u -U: --unified? -e --ed -n --rcs -y
      --side-by-side -W: --width: --left-column --suppress-common-lines -p --show-c-function -F: --show-function-line:
      --label: -L: -t --expand-tabs -T --initial-tab --tabsize: --suppress-blank-empty -r --recursive --no-dereference
      -N --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -x: --exclude: -X<
      --exclude-from< -S: --starting-file: --from-file< --to-file< -i --ignore-case -E --ignore-tab-expansion -Z
      --ignore-trailing-space -b --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines -I:
      --ignore-matching-lines: -a --text --strip-trailing-cr -D: --ifdef: --old-group-format: --new-group-format:
      --unchanged-group-format: --changed-group-format: --line-format: --old-line-format: --new-line-format:
      --unchanged-line-format: -d --minimal --horizon-lines: --speed-large-files --color? --palette: -v --help
      --version
    `,
    dangers: [["-l --paginate", "runs `pr`"]],
    digits: true,
    operands: "reads",
    check: (given) =>
      !hasFlag(given, "--no-dereference -q --brief") &&
        (hasFlag(given, "-r --recursive") ||
          given.operands.some(({ value }) => value !== undefined && /(?:^|\/)\.{0,2}$/.test(value)))
        ? "would follow links, which may lead anywhere, unless `--no-dereference` is given"
        : undefined,
    // Of two folders it compares the files that stand in them, whatever the flags.
    recursive: true
  },
  diff3: {
    flags: `
      -A --show-all -e --ed -E --show-overlap -3 --easy-only -x --overlap-only -X -i -m --merge -a --text
      --strip-trailing-cr -T --initial-tab -L: --label: -v --version --help
    `,
    dangers: [["--diff-program:", "runs the program it names"]],
    operands: "reads"
  },
  sort: {
    flags: `
      -b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i
      --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort --random-source<
      -r --reverse --sort: -V --version-sort --batch-size: -c --check? -C --debug -k: --key: -m --merge -s --stable
      -S: --buffer-size: -t: --field-separator: --parallel: -u --unique -z --zero-terminated --help --version
    `,
    dangers: [
      ["-o> --output>", "writes a file"],
      ["--compress-program:", "runs the program it names"],
      ["-T> --temporary-directory>", "writes into the folder it names"],
      ["--files0-from<", filesFrom]
    ],
    operands: "reads"
  },
  uniq: {
    flags: `
      -c --count -d --repeated -D --all-repeated? -f: --skip-fields: --group? -i --ignore-case -s: --skip-chars: -u
      --unique -z --zero-terminated -w: --check-chars: --help --version
    `,
    digits: true,
    operands: "reads",
    check: (given) =>
      given.options.some(({ late }) => late)
        ? "may take a flag behind its file for one to write"
        : atMost(1, "writes its second file")(given),
    files: ({ operands }) =>
      operands.map((word, index) => ({ access: index === 1 ? "edit" : "read", word, recursive: false }))
  },
  shuf: {
    flags: `
      -e --echo -i: --input-range: -n: --head-count: --random-source< -r --repeat -z --zero-terminated --help
      --version
    `,
    dangers: [["-o> --output>", "writes a file"]],
    operands: "reads"
  },
  tsort: { flags: "--help --version", operands: "reads" },
  pr: {
    flags: `
      --pages: --columns: -a --across -c --show-control-chars -d --double-space -D: --date-format: -e? --expand-tabs?
      -F -f --form-feed -h: --header: -i? --output-tabs? -J --join-lines -l: --length: -m --merge -n? --number-lines?
      -N: --first-line-number: -o: --indent: -r --no-file-warnings -s? --separator? -S? --sep-string? -t --omit-header
      -T --omit-pagination -v --show-nonprinting -w: --width: -W: --page-width: --help --version
    `,
    digits: true,
    operands: "reads"
  },
  od: {
    flags: `
      -A: --address-radix: --endian: -j: --skip-bytes: -N: --read-bytes: -S: --strings? -t: --format: -v
      --output-duplicates -w? --width? --traditional -a -b -c -d -f -i -l -o -s -x -X -D -B -e -h -H -L -O -I -F
      --help --version
    `,
    operands: "reads"
  },
  hexdump: hexdump(),
  hd: hexdump(),
  xxd: {
    flags: `
      -a -autoskip -b -bits -C -capitalize -c: -cols: -d -E -EBCDIC -e -g: -groupsize: -h -help -i -include -l: -len:
      -n: -name: -o: -p -ps -plain -postscript -r -revert -s: -seek: -u -uppercase -v -version -R: --help --version
    `,
    style: "whole",
    stops: true,
    operands: "reads",
    check: atMost(1, "writes its second file"),
    files: ({ operands }) =>
      operands.map((word, index) => ({ access: index === 1 ? "edit" : "read", word, recursive: false }))
  },
  strings: {
    flags: `
      -a --all -d --data -f --print-file-name -n: --bytes: -t: --radix: -w --include-all-whitespace -o -T< --target:
      -e< --encoding: --unicode: -U< -s< --output-separator: -h --help -v -V --version
    `,
    digits: true,
    operands: "reads",
    check: noResponseFile
  },
  bc: {
    flags: `
      -h --help -i --interactive -l --mathlib -w --warn -s --standard -q --quiet -v --version -e: --expression:
    `,
    operands: "reads"
  }
}

function hexdump(): Program {
  return {
    flags: `
      -b --one-byte-octal -c --one-byte-char -C --canonical -d --two-bytes-decimal -o --two-bytes-octal -x
      --two-bytes-hex -X --one-byte-hex -L? --color? -e: --format: -f< --format-file< -n: --length: -s: --skip: -v
      --no-squeezing -h --help -V --version
    `,
    operands: "reads"
  }
}

/**
 * Makes a check that refuses more operands than a number.
 *
 * @category checks
 * @since 0.1.0
 */
export function atMost(limit: number, why: string) {
  return ({ operands }: Arguments): string | undefined =>
    operands.length > limit || operands.some(mayBecomeMany) ? why : undefined
}

/**
 * Refuses `@file`, from which the tools of binutils read more flags.
 *
 * @category checks
 * @since 0.1.0
 */
export function noResponseFile({ operands }: Arguments): string | undefined {
  return operands.some((word) => word.known[0].startsWith("@")) ? "reads more flags from a file" : undefined
}
