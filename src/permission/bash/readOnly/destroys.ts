/**
 * One line of warning for a person who is asked about a command that destroys
 * things. It warns; it decides nothing.
 *
 * @since 0.1.0
 */
import type { SimpleCommand, Word } from "../../../domain/ShellCommand.ts"

/**
 * Says what a command would destroy, or nothing.
 *
 * **Example** (Throwing work away)
 *
 * ```ts
 * import { destroys } from "toolgate/permission/bash/readOnly/destroys"
 * import { readLine } from "toolgate/permission/bash/readLine"
 *
 * readLine("git reset --hard").commands.map(destroys)
 * // => ["throws away changes that are not committed"]
 * ```
 *
 * @category analysis
 * @since 0.1.0
 */
export const destroys = (command: SimpleCommand): string | undefined => {
  const [first, ...rest] = command.words
  const name = first?.value?.slice(first.value.lastIndexOf("/") + 1)
  if (name === undefined) return undefined
  const words = rest.map(textOf)
  if (name.startsWith("mkfs")) return "makes a new file system, which erases the old one"
  return Object.hasOwn(warnings, name) ? warnings[name]?.(words) : undefined
}

type Warn = (words: ReadonlyArray<string>) => string | undefined

// A gap that running fills counts as nothing here.
const textOf = (word: Word): string => word.known.join("")

const has = (words: ReadonlyArray<string>, short: string, ...long: ReadonlyArray<string>): boolean => {
  const end = words.indexOf("--")
  const flags = end < 0 ? words : words.slice(0, end)
  const letters = new RegExp(`^-[A-Za-z0-9]*[${short}]`)
  return flags.some((word) =>
    (short !== "" && letters.test(word)) || long.some((flag) => word === flag || word.startsWith(`${flag}=`))
  )
}

const always = (why: string): Warn => () => why

const after = (words: ReadonlyArray<string>, ...verbs: ReadonlyArray<string>): boolean => {
  const plain = words.filter((word) => !word.startsWith("-"))
  return verbs.every((verb, index) => verb.split("|").includes(plain[index] ?? ""))
}

const sql: Warn = (words) => {
  const text = words.join(" ")
  if (/\bdrop\s+(database|schema|table|user|role|index|view)\b/i.test(text)) return "drops a part of a database"
  if (/\btruncate\s+(table\s+)?\w/i.test(text)) return "empties a table"
  return /\bdelete\s+from\s+[\w."`]+\s*(;|'|"|$)/i.test(text) ? "deletes every row of a table" : undefined
}

const docker: Warn = (words) => {
  if (words.includes("prune")) return "deletes containers, images or volumes that are not in use"
  if (after(words, "rm") || after(words, "container", "rm|prune")) {
    return has(words, "fv", "--force", "--volumes")
      ? "deletes containers"
      : undefined
  }
  if (after(words, "rmi") || after(words, "image", "rm")) return "deletes images"
  if (after(words, "volume", "rm")) return "deletes volumes and what they hold"
  return after(words, "compose", "down") && has(words, "v", "--volumes")
    ? "deletes volumes and what they hold"
    : undefined
}

const kill: Warn = (words) =>
  words.includes("-1") && words.some((word) => /^-(9|KILL|SIGKILL|s)$/.test(word)) ||
    words.at(-1) === "-1" && words.length > 1
    ? "ends every process that it may"
    : undefined

const infrastructure: Warn = (words) => {
  if (after(words, "destroy") || (after(words, "apply") && words.includes("-destroy"))) {
    return "destroys what it manages"
  }
  return after(words, "state", "rm") ? "forgets what it manages" : undefined
}

const git: Warn = (words) => {
  const at = subcommandAt(words)
  const verb = words[at] ?? ""
  return Object.hasOwn(gitWarnings, verb) ? gitWarnings[verb]?.(words.slice(at + 1)) : undefined
}

const subcommandAt = (words: ReadonlyArray<string>): number => {
  let at = 0
  while (at < words.length && (words[at] ?? "").startsWith("-")) {
    at += /^(-C|-c|--git-dir|--work-tree|--namespace|--config-env)$/.test(words[at] ?? "") ? 2 : 1
  }
  return at
}

const uncommitted = "throws away changes that are not committed"

const gitWarnings: Readonly<Record<string, Warn>> = {
  reset: (words) => has(words, "", "--hard", "--merge") ? uncommitted : undefined,
  clean: (words) =>
    has(words, "f", "--force") && !has(words, "n", "--dry-run") ? "deletes files that git does not know" : undefined,
  push: (words) => {
    if (has(words, "f", "--force", "--mirror") || words.some((word) => /^\+\S/.test(word))) {
      return "overwrites what others may have pushed"
    }
    if (has(words, "", "--force-with-lease")) return "overwrites what was pushed"
    return has(words, "d", "--delete", "--prune") || words.some((word) => /^:\S/.test(word))
      ? "deletes on the remote"
      : undefined
  },
  checkout: (words) =>
    words.includes("--") || words.includes(".") || has(words, "f", "--force") ? uncommitted : undefined,
  restore: (words) => !has(words, "S", "--staged") || has(words, "W", "--worktree") ? uncommitted : undefined,
  switch: (words) => has(words, "f", "--force", "--discard-changes") ? uncommitted : undefined,
  branch: (words) =>
    has(words, "D") || (has(words, "d", "--delete") && has(words, "f", "--force"))
      ? "deletes a branch, merged or not"
      : undefined,
  tag: (words) => has(words, "d", "--delete") ? "deletes tags" : undefined,
  stash: (words) => after(words, "drop|clear") ? "throws away changes that were put away" : undefined,
  reflog: (words) => after(words, "expire|delete") ? "forgets what could be restored" : undefined,
  gc: (words) => has(words, "", "--prune") ? "forgets what could be restored" : undefined,
  rm: (words) => has(words, "", "--cached") ? undefined : "deletes files",
  worktree: (words) =>
    after(words, "remove") && has(words, "f", "--force") ? "deletes a working tree with its changes" : undefined,
  "filter-branch": always("rewrites history"),
  "filter-repo": always("rewrites history"),
  "update-ref": (words) => has(words, "d") ? "deletes a reference" : undefined
}

const warnings: Readonly<Record<string, Warn>> = {
  rm: (words) => {
    const below = has(words, "rR", "--recursive")
    const force = has(words, "f", "--force")
    return below
      ? `deletes folders with all that is in them${force ? ", without asking" : ""}`
      : force
      ? "deletes files without asking"
      : undefined
  },
  rimraf: always("deletes folders with all that is in them"),
  find: (words) => words.includes("-delete") ? "deletes everything that it finds" : undefined,
  git,
  dd: (words) => words.some((word) => word.startsWith("of=/dev/")) ? "overwrites a device" : undefined,
  shred: always("overwrites files so that nothing brings them back"),
  wipefs: always("erases the signatures of a file system"),
  blkdiscard: always("erases a device"),
  fdisk: always("changes how a disk is divided"),
  parted: always("changes how a disk is divided"),
  truncate: (words) => words.some((word) => /^(-s|--size=?)/.test(word)) ? "cuts files" : undefined,
  chmod: (words) =>
    has(words, "R", "--recursive") && words.some((word) => /^0?777$|^[ao]*\+rwx$/.test(word))
      ? "opens whole folders to everybody"
      : undefined,
  chown: (words) => has(words, "R", "--recursive") ? "gives whole folders to another owner" : undefined,
  rsync: (words) =>
    words.some((word) => /^--(delete|del$|remove-source-files)/.test(word))
      ? "deletes files that the source does not have"
      : undefined,
  kill,
  killall: always("ends every process of a name"),
  pkill: always("ends every process that matches"),
  shutdown: always("stops the machine"),
  reboot: always("stops the machine"),
  poweroff: always("stops the machine"),
  halt: always("stops the machine"),
  docker,
  podman: docker,
  psql: sql,
  mysql: sql,
  mariadb: sql,
  sqlite3: sql,
  sqlcmd: sql,
  dropdb: always("drops a database"),
  dropuser: always("drops a user of a database"),
  mysqladmin: (words) => after(words, "drop") ? "drops a database" : undefined,
  "redis-cli": (words) => words.some((word) => /^flush(all|db)$/i.test(word)) ? "empties a database" : undefined,
  mongosh: (words) => /drop(Database)?\(/.test(words.join(" ")) ? "drops a part of a database" : undefined,
  terraform: infrastructure,
  tofu: infrastructure,
  pulumi: infrastructure,
  terragrunt: infrastructure,
  kubectl: (words) =>
    after(words, "delete") ? "deletes resources of a cluster" : after(words, "drain") ? "empties a node" : undefined,
  helm: (words) => after(words, "uninstall|delete") ? "uninstalls a release" : undefined,
  aws: (words) =>
    words.some((word) => /^(rb|delete-|terminate-)/.test(word)) || (words.includes("s3") && words.includes("rm"))
      ? "deletes resources in the cloud"
      : undefined,
  gcloud: (words) => words.includes("delete") ? "deletes resources in the cloud" : undefined,
  az: (words) => words.includes("delete") || words.includes("purge") ? "deletes resources in the cloud" : undefined,
  gh: (words) => after(words, "repo|release|issue|secret|gist", "delete") ? "deletes on GitHub" : undefined,
  npm: (words) => after(words, "unpublish") ? "takes a package from the registry" : undefined,
  crontab: (words) => has(words, "r") ? "deletes every scheduled command" : undefined
}
