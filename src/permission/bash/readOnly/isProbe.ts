/**
 * Asking a program for its version or its help.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"

/**
 * True when the words ask a well-known program for nothing but its version or
 * help.
 *
 * **Details**
 *
 * The line has to be one of those written here, whole. Programs of which a
 * project can say which build runs, or that would fetch one (`yarn`, `pnpm`,
 * `cargo`, `go`, `mvn`, `gradle`), are left out.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isProbe = (program: string, words: ReadonlyArray<Word>): boolean => {
  const [first, second] = words
  if (first?.value === undefined || second !== undefined || !Object.hasOwn(probes, program)) return false
  return probes[program]?.split(" ").includes(first.value) ?? false
}

const help = "--help --version"

const probes: Readonly<Record<string, string>> = {
  node: "--version -v --help -h",
  deno: "--version -V --help",
  bun: "--version -v --help",
  npm: "--version -v --help help",
  npx: "--version -v --help",
  python: "--version -V --help -h",
  python2: "--version -V --help -h",
  python3: "--version -V --help -h",
  pip: "--version -V --help",
  pip3: "--version -V --help",
  uv: "--version -V --help",
  ruby: "--version -v --help -h",
  gem: "--version -v --help",
  perl: "--version -v --help -h",
  php: "--version -v --help -h",
  java: "-version --version --help",
  javac: "-version --version --help",
  gcc: help,
  "g++": help,
  cc: help,
  clang: help,
  "clang++": help,
  make: "--version -v --help -h",
  cmake: "--version --help",
  ninja: "--version --help",
  ld: help,
  as: help,
  bash: help,
  zsh: help,
  fish: "--version -v --help",
  git: "--version -v --help -h version",
  gh: "--version --help",
  docker: "--version -v --help",
  podman: "--version -v --help",
  kubectl: "--help",
  helm: "version --help",
  curl: "--version -V --help -h",
  wget: "--version -V --help",
  tar: help,
  rsync: "--version -V --help",
  ssh: "-V",
  openssl: "version",
  sqlite3: "--version -version",
  psql: "--version -V --help",
  mysql: "--version -V --help",
  rm: help,
  cp: help,
  mv: help,
  ln: help,
  mkdir: help,
  rmdir: help,
  touch: help,
  chmod: help,
  chown: help,
  tee: help,
  dd: help,
  xargs: help,
  patch: help,
  vim: help,
  emacs: help,
  less: "--version -V",
  tmux: "-V",
  ffmpeg: "-version"
}
