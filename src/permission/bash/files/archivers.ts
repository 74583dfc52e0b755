/**
 * Programs that pack and unpack.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import { clusterFirst } from "../clusterFirst.ts"
import { fromFlags, uses } from "../readOnly/filesIn.ts"
import type { Program, Programs } from "../readOnly/Program.ts"
import { type Arguments, hasFlag, readArguments, valuesOf } from "../readOnly/readArguments.ts"
import { below, tailOf, unwritten } from "../readOnly/tailOf.ts"
import type { FileUse } from "./FileUse.ts"

// A packer that puts the packed file in the place of the plain one.
const replacing: Program = {
  flags: `
    -c --stdout --to-stdout -d --decompress -f --force -k --keep -l --list -q --quiet -r --recursive -S: --suffix: -t
    --test -v --verbose -T: --threads: -o>
  `,
  digits: true,
  files: (given) =>
    uses(hasFlag(given, "-c --stdout --to-stdout -l --list -t --test") ? "read" : "edit", given.operands)
}

const tarFlags: Program = {
  flags: `
    -c --create -x --extract --get -t --list -r --append -u --update -A --catenate --concatenate -d --diff --compare
    --delete -f: --file: -C: --directory: -z --gzip -j --bzip2 -J --xz -a --auto-compress -Z --lzip --lzma --zstd -v
    --verbose -p --preserve-permissions -k --keep-old-files -m -O --to-stdout -P --absolute-names -h --dereference -S
    --sparse -w -W -l -U -B -i -n -s -o -T< --files-from< -X< --exclude-from< -b: -g> --listed-incremental> -I:
    --use-compress-program: -F: -K: -L: -N: -V: -H: --format: --exclude: --strip-components: --transform: --owner:
    --group: --mode: --mtime: --no-same-owner --same-owner --overwrite --one-file-system --wildcards --to-command:
    --checkpoint? --checkpoint-action: --rsh-command: --totals? --warning: --help --version
  `
}

/**
 * Archives: what goes in is read, where it comes out is changed.
 *
 * @category data
 * @since 0.1.0
 */
export const archivers: Programs = {
  tar: { style: "anything", files: ({ words }) => ofTar(words) },
  bsdtar: { style: "anything", files: ({ words }) => ofTar(words) },
  gzip: replacing,
  gunzip: replacing,
  bzip2: replacing,
  bunzip2: replacing,
  xz: replacing,
  unxz: replacing,
  zstd: replacing,
  unzstd: replacing,
  zip: {
    flags: `
      -r --recurse-paths -q --quiet -v -9 -0 -1 -j --junk-paths -m -u -d -e -y --symlinks -T -F -D -X -g -l -P: -b:
      -t: -n: -O> -s: -x: -i:
    `,
    digits: true,
    files: ({ operands: [archive, ...files] }) => [
      ...(archive === undefined ? [] : uses("edit", [archive])),
      ...uses("read", files, true)
    ]
  },
  unzip: {
    flags: "-l -v -t -p -c -q -Z -C -z -h -o -n -f -u -j -a -b -B -D -K -L -U -V -W -X -d: -P: -x:",
    stops: true,
    files: (given) => {
      const archive = given.operands.slice(0, 1)
      if (hasFlag(given, "-l -v -t -p -c -Z -z")) return uses("read", archive)
      // Behind the archive only a folder and what to leave out are still flags.
      const behind = given.operands.findIndex(({ known: [text] }) => text.startsWith("-d"))
      const [flag, next] = behind < 0 ? [] : given.operands.slice(behind)
      const folder = [
        ...given.options.filter(({ name }) => name === "-d").flatMap(valuesOf),
        ...(flag === undefined ? [] : flag.value !== "-d" ? [tailOf(flag, 2)] : next === undefined ? [] : [next])
      ]
      return [...uses("read", archive), ...uses("edit", folder.length > 0 ? folder : [unwritten(".")], true)]
    }
  }
}

const ofTar = (words: ReadonlyArray<Word>): ReadonlyArray<FileUse> => {
  const given = readArguments(tarFlags, clusterFirst(words))
  const last = (names: string) =>
    given.options.filter(({ name }) => names.split(" ").includes(name)).flatMap(valuesOf).at(-1)
  const folder = last("-C --directory")
  const archive = last("-f --file")
  const archives = archive === undefined ? [] : [archive]
  if (hasFlag(given, "-x --extract --get")) {
    const to = hasFlag(given, "-O --to-stdout") ? [] : uses("edit", [folder ?? unwritten(".")], true)
    return [...uses("read", archives), ...to, ...fromFlags(given)]
  }
  const creates = hasFlag(given, "-c --create -r --append -u --update -A --delete --catenate --concatenate")
  const members = creates ? uses("read", given.operands.map((word) => below(folder, word)), true) : []
  return [...uses(creates ? "edit" : "read", archives), ...members, ...generous(given), ...fromFlags(given)]
}

// Without a known mode every word may be a file.
const generous = (given: Arguments): ReadonlyArray<FileUse> =>
  hasFlag(
      given,
      `
    -t --list -c --create -r --append -u --update -d --diff --compare
  `
    ) ?
    [] :
    uses("read", given.operands)
