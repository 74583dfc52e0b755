/**
 * Takes a call apart into its demands.
 *
 * @since 0.1.0
 */
import type { Place } from "../domain/Place.ts"
import type { ShellLine, SimpleCommand, Word } from "../domain/ShellCommand.ts"
import type { OneSubject } from "../domain/Subject.ts"
import { absolute } from "./absolute.ts"
import { filesOf } from "./bash/files/filesOf.ts"
import type { FileUse } from "./bash/files/FileUse.ts"
import type { Demand, DemandOf } from "./Demand.ts"

/**
 * Returns what a call demands of one thing that it touches, in the order in which
 * a person would read it. `line` is the command of a shell call, read; `before`
 * says how many demands of the same call come before these.
 *
 * @category constructors
 * @since 0.1.0
 */
export const demandsOf = (
  tool: string,
  subject: OneSubject,
  line: ShellLine | undefined,
  place: Place,
  before = 0
): ReadonlyArray<Demand> => {
  switch (subject._tag) {
    case "Shell":
      return line === undefined ? [] : ofLine(line, place, before)
    case "File": {
      const path = absolute(subject.path, place)
      return [{
        _tag: "File",
        label: `${subject.access} ${subject.path}`,
        access: subject.access,
        path,
        word: undefined,
        directory: ".",
        recursive: subject.recursive === true,
        dotted: false,
        from: "tool",
        owner: undefined,
        command: undefined
      }]
    }
    case "Search":
      return [{ _tag: "Folder", label: `search ${subject.path}`, path: absolute(subject.path, place) ?? place.cwd }]
    case "Url":
      return [{ _tag: "Address", label: `fetch ${subject.url}`, url: subject.url }]
    case "Agent":
      return [{ _tag: "Agent", label: `${tool} ${subject.name}`, name: subject.name }]
    case "Plain":
      return [{ _tag: "Tool", label: tool }]
  }
}

const ofLine = (line: ShellLine, place: Place, before: number): ReadonlyArray<Demand> => {
  const understood = line.refused === undefined
  const commands = line.commands.map((command): DemandOf<"Command"> => ({
    _tag: "Command",
    label: command.source,
    command,
    line: line.source,
    understood
  }))
  // INVARIANT: a line in which nothing was found still makes one demand, so that nothing is permitted unseen.
  if (commands.length === 0) {
    return [{ _tag: "Command", label: line.source, command: nothing(line), line: line.source, understood: false }]
  }
  const dotted = line.source.includes("dotglob")
  return [
    ...commands,
    ...line.commands.flatMap((command, at) => filesIn(command, { owner: before + at, place, dotted, understood }))
  ]
}

interface Line {
  readonly owner: number
  readonly place: Place
  readonly dotted: boolean
  readonly understood: boolean
}

const filesIn = (command: SimpleCommand, line: Line): ReadonlyArray<Demand> => [
  ...command.redirects.flatMap(({ access, target }) =>
    (access === "readwrite" ? ["read", "edit"] as const : [access === "read" ? "read" : "edit"] as const).flatMap((
      one
    ) => files(command, line, "redirect", { access: one, word: target, recursive: false }))
  ),
  ...filesOf(command).flatMap((use) => files(command, line, "argument", use)),
  ...command.inner.flatMap((inner) => filesIn(inner, line))
]

const verbs = { read: "read", edit: "write", remove: "remove" }

/**
 * One demand for each directory that the command may run in. Of a line that is
 * not understood nothing is known, so that the call's own directory is as likely
 * as any: a deny rule that fits there denies.
 */
const files = (
  command: SimpleCommand,
  { dotted, owner, place, understood }: Line,
  from: "redirect" | "argument",
  { access, recursive, word }: FileUse
): ReadonlyArray<DemandOf<"File">> =>
  directoriesOf(command, word, understood).map((directory) => ({
    _tag: "File",
    label: `${verbs[access]} ${word.source === "" ? word.value ?? "an unknown file" : word.source}`,
    access,
    path: word.value === undefined || directory === undefined
      ? undefined
      : absolute(word.value, place, directory, word.tilde === true),
    word,
    directory,
    recursive,
    dotted,
    from,
    owner,
    command
  }))

const directoriesOf = (
  { directory, elsewhere = [] }: SimpleCommand,
  word: Word,
  understood: boolean
): ReadonlyArray<string | undefined> => {
  if (standsAlone(word)) return ["."]
  return understood || directory !== undefined ? [directory, ...elsewhere] : [directory, ".", ...elsewhere]
}

/** Whether a path means the same wherever the shell stands. */
const standsAlone = ({ known, tilde }: Word): boolean => tilde === true || known[0].startsWith("/")

const nothing = (line: ShellLine): SimpleCommand => ({
  words: [],
  assignments: [],
  redirects: [],
  source: line.source,
  directory: undefined,
  carrier: undefined,
  inner: [],
  transparent: false,
  exactOnly: true
})
