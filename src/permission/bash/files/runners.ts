/**
 * Programs that are told by a file what to run, or with what.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import { uses } from "../readOnly/filesIn.ts"
import type { Program, Programs } from "../readOnly/Program.ts"
import { hasFlag } from "../readOnly/readArguments.ts"
import { tailOf } from "../readOnly/tailOf.ts"
import type { FileUse } from "./FileUse.ts"

// A script is printed by `-v`, and what is no script in complaints.
const shell: Program = {
  flags: `
    -c -o: -O: -a -b -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -D -E -H -P -T --rcfile< --init-file< --login
    --noprofile --norc --posix --verbose --restricted --noediting --version --help
  `,
  stops: true,
  files: (given) => hasFlag(given, "-c") ? [] : uses("read", given.operands.slice(0, 1))
}

const make: Program = {
  flags: `
    -f< --file< --makefile< -C: --directory: -I: --include-dir: -j? --jobs? -l? -o: -W: -B -b -d -e -i -k -m -n -p -q
    -r -R -s -S -t -v -w
  `,
  operands: "text"
}

// Only where they write; what they start is judged by itself.
const traced: Program = { style: "anything", files: ({ words }) => outputs(words) }

const compiled: Program = {
  style: "anything",
  files: ({ words }) => [
    ...outputs(words),
    ...words.flatMap((word, index) =>
      /^-(?:include|imacros)$/.test(words[index - 1]?.value ?? "") ||
        (!word.known[0].startsWith("-") && words[index - 1]?.value !== "-o")
        ? uses("read", [word])
        : []
    )
  ]
}

const environments: Program = { style: "anything", files: ({ words }) => environmentFiles(words) }

/**
 * Shells, `make` and others that take a file of commands or settings.
 *
 * @category data
 * @since 0.1.0
 */
export const runners: Programs = {
  bash: shell,
  sh: shell,
  dash: shell,
  zsh: shell,
  ksh: shell,
  make,
  gmake: make,
  xargs: { flags: "-a< --arg-file< -0 -r -t -p -x -I: -n: -P: -L: -d: -s: -E:", stops: true, files: () => [] },
  docker: environments,
  podman: environments,
  node: environments,
  bun: environments,
  deno: environments,
  openssl: { style: "anything", files: ({ words }) => opensslFiles(words) },
  gpg: { flags: "-o> --output> -r: -u: -c -e -d -s -a -b", operands: "reads" },
  script: { flags: "-a -c: -e -f -q -t? -I> -O> -B> -T> -o: -E: -m:", operands: "edits" },
  strace: traced,
  ltrace: traced,
  time: traced,
  gtime: traced,
  cc: compiled,
  gcc: compiled,
  "g++": compiled,
  clang: compiled,
  "clang++": compiled,
  rustc: compiled,
  go: traced,
  "7z": packed(),
  "7za": packed(),
  "7zz": packed()
}

function packed(): Program {
  return {
    files: ({ operands: [action, archive, ...members] }) => [
      ...(archive === undefined ? [] : uses(/^[audr]/.test(action?.value ?? "a") ? "edit" : "read", [archive])),
      ...uses("read", members, true)
    ]
  }
}

const environmentFiles = (words: ReadonlyArray<Word>): ReadonlyArray<FileUse> =>
  named(words, /^--env-file(?:-if-exists)?(?:=|$)/)

const opensslFiles = (words: ReadonlyArray<Word>): ReadonlyArray<FileUse> => [
  ...named(words, /^-{1,2}(?:in|inkey|key|cert|certfile|CAfile|config|kfile|content|sign|verify)(?:=|$)/),
  ...words.flatMap((word, index) =>
    /^-{1,2}(?:out|keyout)$/.test(words[index - 1]?.value ?? "") ? uses("edit", [word]) : []
  )
]

const outputs = (words: ReadonlyArray<Word>): ReadonlyArray<FileUse> =>
  words.flatMap((word, index) => {
    const [text] = word.known
    if (words[index - 1]?.value === "-o" || words[index - 1]?.value === "--output") return uses("edit", [word])
    const glued = /^(?:--output=|-o)(?=.)/.exec(text)
    return glued === null ? [] : uses("edit", [tailOf(word, glued[0].length)])
  })

const named = (words: ReadonlyArray<Word>, flag: RegExp): ReadonlyArray<FileUse> =>
  words.flatMap((word, index) => {
    const [text] = word.known
    const equals = flag.test(text) ? text.indexOf("=") : -1
    if (equals >= 0) return uses("read", [tailOf(word, equals + 1)])
    const before = words[index - 1]?.value
    return before !== undefined && !before.includes("=") && flag.test(before) ? uses("read", [word]) : []
  })
