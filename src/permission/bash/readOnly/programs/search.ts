/**
 * Programs that search files and their contents.
 *
 * @since 0.1.0
 */
import { findExpression } from "../findExpression.ts"
import type { Program, Programs } from "../Program.ts"
import { type Arguments, hasFlag, valuesOf } from "../readArguments.ts"

const grepFlags = `
  -E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -e: --regexp: -f< --file< -i -y
  --ignore-case --no-ignore-case -w --word-regexp -x --line-regexp -z --null-data -s --no-messages -v --invert-match
  -V --version --help -m: --max-count: -b --byte-offset -n --line-number --line-buffered -H --with-filename -h
  --no-filename --label: -o --only-matching -q --quiet --silent --binary-files: -a --text -I -d: --directories: -D:
  --devices: -r --recursive -R --dereference-recursive --include: --exclude: --exclude-from< --exclude-dir: -L
  --files-without-match -l --files-with-matches -c --count -T --initial-tab -Z --null -B: --before-context: -A:
  --after-context: -C: --context: --color? --colour? -U --binary -u --unix-byte-offsets
`

const grep: Program = {
  flags: grepFlags,
  digits: true,
  operands: "pattern",
  patternFlags: "-e --regexp -f --file",
  permutes: true,
  follows: "-R --dereference-recursive",
  recursive: (given) => descends(given),
  here: (given) => descends(given)
}

const descends = (given: Arguments): boolean =>
  hasFlag(given, "-r -R --recursive --dereference-recursive") ||
  given.options.some((option) =>
    /^(?:-d|--directories)$/.test(option.name) &&
    valuesOf(option).some(({ value }) => value === undefined || "recurse".startsWith(value))
  )

const fd: Program = {
  flags: `
    -H --hidden --no-hidden -I --no-ignore --ignore -u --unrestricted --no-ignore-vcs --ignore-vcs --no-ignore-parent
    --no-require-git -s --case-sensitive -i --ignore-case -g --glob --regex -F --fixed-strings --literal --and: -a
    --absolute-path --relative-path -L --follow --no-follow -p --full-path -0 --print0 -d: --max-depth: --maxdepth:
    --min-depth: --exact-depth: --prune -t: --type: -e: --extension: -E: --exclude: -S: --size: --changed-within:
    --change-newer-than: --newer: --changed-before: --change-older-than: --older: -o: --owner: -c: --color: -j:
    --threads: --max-results: -1 -q --quiet --has-results --show-errors --ignore-file< --base-directory< -C<
    --path-separator: --search-path< --strip-cwd-prefix? --one-file-system --mount --xdev -h --help -V --version
  `,
  dangers: [
    ["-x: --exec:", "runs a program for every match"],
    ["-X: --exec-batch:", "runs a program with the matches"],
    ["-l --list-details", "runs `ls`"]
  ],
  operands: "pattern",
  patternFlags: "--and",
  permutes: true,
  here: true
}

/**
 * Searching.
 *
 * @category data
 * @since 0.1.0
 */
export const search: Programs = {
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: { ...grep, recursive: "", here: "" },
  find: findExpression,
  fd,
  fdfind: fd,
  rg: {
    flags: `
      -A: --after-context: --auto-hybrid-regex -B: --before-context: --binary --no-binary --block-buffered
      --no-block-buffered -b --byte-offset -s --case-sensitive --color: --colors: --column --no-column -C: --context:
      --context-separator: --no-context-separator -c --count --count-matches --crlf --debug --dfa-size-limit: -E:
      --encoding: --engine: --field-context-separator: --field-match-separator: -f< --file< --files -l
      --files-with-matches --files-without-match -F --fixed-strings --no-fixed-strings -L --follow --no-follow
      --generate: -g: --glob: --glob-case-insensitive -h --help --heading --no-heading -. --hidden --no-hidden
      --hyperlink-format: --iglob: -i --ignore-case --ignore-file< --ignore-file-case-insensitive --include-zero -v
      --invert-match --no-invert-match --json --no-json --line-buffered --no-line-buffered -n --line-number -x
      --line-regexp -M: --max-columns: --max-columns-preview -m: --max-count: -d: --max-depth: --maxdepth:
      --max-filesize: --mmap --no-mmap -U --multiline --no-multiline --multiline-dotall --no-config -I --no-filename
      --no-ignore --ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global
      --no-ignore-messages --no-ignore-parent --no-ignore-vcs -N --no-line-number --no-messages --no-pcre2-unicode
      --no-require-git --no-unicode -0 --null --null-data --one-file-system -o --only-matching --passthru
      --passthrough --path-separator: -P --pcre2 --no-pcre2 --pcre2-version --pre-glob: --no-pre -p --pretty -q
      --quiet --regex-size-limit: -e: --regexp: -r: --replace: -S --smart-case --sort: --sortr: --sort-files --stats
      --no-stats --stop-on-nonmatch -a --text --no-text -j: --threads: --trace --trim --no-trim -t: --type:
      --type-add: --type-clear: --type-list -T: --type-not: -u --unrestricted -V --version --vimgrep -H
      --with-filename -w --word-regexp --no-search-zip
    `,
    dangers: [
      ["--pre:", "runs the program it names on every file"],
      ["--hostname-bin:", "runs the program it names"],
      ["-z --search-zip", "runs the programs that unpack archives"]
    ],
    operands: "pattern",
    patternFlags: "-e --regexp -f --file --files --type-list",
    follows: "-L --follow",
    permutes: true,
    here: true,
    recursive: true
  },
  ag: {
    flags: `
      --ackmate -A? --after? -B? --before? --break --nobreak -c --count --color --nocolor --color-line-number:
      --color-match: --color-path: --column --filename --nofilename -H --heading --noheading -L
      --files-without-matches -l --files-with-matches --passthrough --silent --stats --stats-only --vimgrep -0 --null
      --print0 -a --all-types -D --debug --depth: -f --follow -F --fixed-strings -g: -G: --file-search-regex: --hidden
      -i --ignore-case --ignore: --ignore-dir: -m: --max-count: --no-numbers --numbers --one-device -p<
      --path-to-ignore< -Q --literal -s --case-sensitive -S --smart-case --search-binary -t --all-text -u
      --unrestricted -U --skip-vcs-ignores -v --invert-match -w --word-regexp -W: --width: --workers: -C? --context?
      -r -R --recurse -n --norecurse -o --only-matching -h --help -V --version --list-file-types
    `,
    dangers: [
      ["--pager:", "runs the program it names"],
      ["-z --search-zip", "unpacks what it searches"]
    ],
    operands: "pattern",
    patternFlags: "-g --list-file-types",
    follows: "-f --follow",
    permutes: true,
    here: true,
    recursive: true
  },
  tree: {
    flags: `
      -a -d -l -f -x -L: -P: -I: --gitignore --gitfile< --ignore-case --matchdirs --metafirst --prune --info
      --infofile< --noreport --charset: --filelimit: --si -q -N -Q -p -u -g -s -h -D --timefmt: -F --inodes --device
      -v -t -c -U -r --dirsfirst --filesfirst --sort? -i -A -S -n -C -X -J -H: -T: --nolinks --hintro< --houtro< --du
      --help --version
    `,
    style: "apart",
    permutes: true,
    dangers: [
      ["-o> --output>", "writes a file"],
      ["-R", "may write a page into every folder"],
      ["--fromfile --fromtabfile", "reads the names of files from a file"]
    ],
    operands: "reads",
    here: true
  }
}
