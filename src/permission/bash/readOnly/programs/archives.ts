/**
 * Looking into archives.
 *
 * @since 0.1.0
 */
import type { Program, Programs } from "../Program.ts"
import { hasFlag, valuesOf } from "../readArguments.ts"

const toOutput = "without `-c`, `-l` or `-t` replaces its files"

const gzip: Program = {
  flags: `
    -c --stdout --to-stdout -d --decompress --uncompress -l --list -t --test -v --verbose -q --quiet -h --help -V
    --version -L --license -n --no-name -N --name
  `,
  dangers: [["-f --force", "replaces files"], ["-r --recursive", "works on whole folders"], [
    "-k --keep",
    "writes a file"
  ]],
  operands: "reads",
  check: (given) =>
    hasFlag(
        given,
        `
    -c --stdout --to-stdout -l --list -t --test --help -h -V --version
  `
      ) ?
      undefined :
      toOutput
}

const cat: Program = { flags: "-h --help -V --version -q --quiet", operands: "reads" }

/**
 * Archives.
 *
 * @category data
 * @since 0.1.0
 */
export const archives: Programs = {
  gzip,
  gunzip: gzip,
  zcat: { flags: "-f --force -l --list -q --quiet -t --test -v --verbose -h --help -V --version", operands: "reads" },
  gzcat: cat,
  bzcat: cat,
  xzcat: cat,
  lzcat: cat,
  zstdcat: cat,
  zipinfo: { flags: "-1 -2 -s -m -l -v -h -t -T -z -C", operands: "reads", stops: true },
  tar: {
    flags: `
      -t --list -v --verbose -f< --file< -z --gzip --gunzip -j --bzip2 -J --xz --zstd --exclude: --wildcards
      --no-wildcards --full-time --help --version
    `,
    operands: "text",
    dangers: [
      [
        "-x --extract --get -c --create -r --append -u --update -A --catenate --concatenate --delete",
        "packs or unpacks"
      ],
      [
        "-I: --use-compress-program: --to-command: --checkpoint-action: --rsh-command: -F: --info-script:",
        "runs the program it names"
      ],
      ["-C: --directory:", "works in another folder"]
    ],
    check: (given) => {
      const archives = given.options.filter(({ name }) => name === "-f" || name === "--file").flatMap(valuesOf)
      if (!hasFlag(given, "-t --list")) return "without `-t` packs or unpacks"
      return archives.some((word) => word.known.join("").includes(":"))
        ? "may take the archive from another host"
        : undefined
    }
  },
  unzip: {
    flags: "-l -v -t -p -c -q -Z -C -z -h -hh",
    dangers: [
      ["-d>", "unpacks into a folder"],
      ["-o -n -f -u -j -x: -X -K -B -a -b -D -L -P: -U -V -W", "may unpack"]
    ],
    operands: "reads",
    stops: true,
    check: (given) => hasFlag(given, "-l -v -t -p -c -Z -z -h") ? undefined : "without `-l`, `-t` or `-p` unpacks"
  }
}
