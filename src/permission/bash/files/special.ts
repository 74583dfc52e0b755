/**
 * Programs whose command line says in a way of its own which files it touches.
 *
 * @since 0.1.0
 */
import { uses } from "../readOnly/filesIn.ts"
import type { Program } from "../readOnly/Program.ts"
import { hasFlag } from "../readOnly/readArguments.ts"
import { tailOf, unwritten } from "../readOnly/tailOf.ts"

/**
 * `dd if=… of=…`.
 *
 * @category data
 * @since 0.1.0
 */
export const dd: Program = {
  style: "anything",
  files: ({ operands }) =>
    operands.flatMap((word) =>
      word.known[0].startsWith("if=")
        ? uses("read", [tailOf(word, 3)])
        : word.known[0].startsWith("of=")
        ? uses("edit", [tailOf(word, 3)])
        : word.value === undefined
        ? uses("edit", [word])
        : []
    )
}

/**
 * `patch` changes the files that the patch names, unless told which.
 *
 * @category data
 * @since 0.1.0
 */
export const patch: Program = {
  flags: `
    -b --backup -B: -c --context -d: --directory: -D: --ifdef: --dry-run -e --ed -E -f --force -F: --fuzz: -g: -i<
    --input< -l -n -N --forward -o> --output> -p: --strip: -r> --reject-file> -R --reverse -s --silent -t --batch -u
    --unified -v -V: -Y: -z: -Z --verbose --binary --posix --merge?
  `,
  files: ({ operands: [original, change] }) => [
    ...(original === undefined ? uses("edit", [unwritten(".")], true) : uses("edit", [original])),
    ...(change === undefined ? [] : uses("read", [change]))
  ]
}

/**
 * `perl -i` changes its files, without it they are read.
 *
 * @category data
 * @since 0.1.0
 */
export const perl: Program = {
  flags: "-e: -E: -n -p -i? -l? -0? -a -F? -w -W -X -s -S -t -T -u -U -v -V -c -C? -d? -D? -h -I: -m: -M: -x?",
  files: (given) => {
    const files = hasFlag(given, "-e -E") ? given.operands : given.operands.slice(1)
    return uses(hasFlag(given, "-i") ? "edit" : "read", files)
  }
}

/**
 * `shred` overwrites, and removes with `-u`.
 *
 * @category data
 * @since 0.1.0
 */
export const shred: Program = {
  flags: "-f --force -n: --iterations: --random-source< -s: --size: -u --remove? -v --verbose -x --exact -z --zero",
  files: (given) => uses(hasFlag(given, "-u --remove") ? "remove" : "edit", given.operands)
}

/**
 * `split` reads one file and writes many that begin alike.
 *
 * @category data
 * @since 0.1.0
 */
export const split: Program = {
  flags: `
    -a: --suffix-length: --additional-suffix: -b: --bytes: -C: --line-bytes: -d --numeric-suffixes? -x --hex-suffixes?
    -e --elide-empty-files --filter: -l: --lines: -n: --number: -t: --separator: -u --unbuffered --verbose
  `,
  digits: true,
  files: ({ operands: [file, prefix] }) => [
    ...(file === undefined ? [] : uses("read", [file])),
    ...uses("edit", [prefix ?? unwritten(".")])
  ]
}
