/**
 * Laws about files that go by more than one name.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import { oneOf, pick } from "../arbitraries/oneOf.ts"
import { shells } from "../arbitraries/shells.ts"
import { modes, quiet } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { printShell } from "../shell/printShell.ts"
import type { Situation } from "../Situation.ts"

type Opening = (path: string) => Pick<Situation, "tool" | "input">

/** A call that opens a path, by a tool or by a command. */
const opening = (edits: boolean): Arbitrary.Arbitrary<Opening> => {
  const writers = Arbitrary.map(
    pick("Write", "Edit", ">", ">>", "2>", "&>", "cp", "tee", "touch"),
    (by): Opening => (path) => {
      switch (by) {
        case "Write":
          return { tool: by, input: { file_path: path, content: "x" } }
        case "Edit":
          return { tool: by, input: { file_path: path, old_string: "a", new_string: "b" } }
        case "cp":
          return { tool: "Bash", input: { command: `cp src/a.ts '${path}'` } }
        case "tee":
        case "touch":
          return { tool: "Bash", input: { command: `${by} "${path}"` } }
        default:
          return { tool: "Bash", input: { command: `echo x ${by} ${path}` } }
      }
    }
  )
  const notebooks = Arbitrary.Constant<Opening>((path) => ({
    tool: "NotebookEdit",
    input: { notebook_path: `${path}.ipynb`, cell_id: "a", new_source: "x" }
  }))
  if (edits) return oneOf(writers, writers, writers, notebooks)
  const readers = Arbitrary.map(
    pick("Read", "Grep", "Glob", "cat", "head -n 1", "grep x", "<"),
    (by): Opening => (path) => {
      switch (by) {
        case "Read":
          return { tool: by, input: { file_path: path } }
        case "Grep":
          return { tool: by, input: { pattern: "x", path } }
        case "Glob":
          return { tool: by, input: { pattern: "*", path } }
        case "<":
          return { tool: "Bash", input: { command: `cat < '${path}'` } }
        default:
          return { tool: "Bash", input: { command: `${by} ${path}` } }
      }
    }
  )
  return oneOf(readers, writers)
}

/** Everything is allowed but one folder. */
const guarding = (rule: string, mode: Situation["mode"], call: Pick<Situation, "tool" | "input">): Situation => ({
  ...quiet(call),
  mode,
  files: { "/vault/key": "file", "/vault/deep/key": "file", "/srv/repo/src/a.ts": "file" },
  rules: {
    userSettings: { allow: ["Bash", "Read", "Edit", "Write", "Grep", "Glob"] },
    projectSettings: { deny: [rule] }
  }
})

/**
 * @category laws
 * @since 0.1.0
 */
export const linksDontHide: Law.Law = Law.ofVerdicts({
  name: "a denied path through a link is denied",
  statement:
    "A file under a folder that a rule denies is denied by every name that leads to it: through a link to the " +
    "file, a link to a folder above it, and a link to a link, whether the file is there already or not.",
  situations: Arbitrary.map(
    Arbitrary.all({
      open: opening(false),
      mode: modes,
      way: pick(
        "/srv/repo/to-key",
        "to-key",
        "/srv/repo/to-vault/key",
        "to-vault/key",
        "to-vault/new",
        "to-deep/../key",
        "twice",
        "around/to-vault/deep/key"
      )
    }),
    ({ mode, open, way }) => {
      const situation = guarding("Read(//vault/**)", mode, open(way))
      return [{
        ...situation,
        files: {
          ...situation.files,
          "/srv/repo/to-key": "-> /vault/key",
          "/srv/repo/to-vault": "-> ../../vault",
          "/srv/repo/to-deep": "-> /vault/deep",
          "/srv/repo/twice": "-> to-vault/key",
          "/srv/repo/around": "-> ."
        }
      }] satisfies readonly [Situation]
    }
  ),
  holds: ([verdict]) => verdict === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const detoursDontHide: Law.Law = Law.ofVerdicts({
  name: "a denied path with a detour in it is denied",
  statement: "`..`, `.`, doubled slashes and a way around do not hide a path from the rule that denies it.",
  situations: Arbitrary.map(
    Arbitrary.all({
      open: opening(false),
      mode: modes,
      steps: Arbitrary.array(pick("/.", "/", "/deep/..", "/../vault", "/no/../"), { maxLength: 3 }),
      start: pick("/vault", "//vault", "/srv/../vault", "../../vault", "./../../vault", "src/../../../vault"),
      name: pick("key", "deep/key", "new")
    }),
    ({ mode, name, open, start, steps }) =>
      [guarding("Read(//vault/**)", mode, open(`${start}${steps.join("")}/${name}`))] as const
  ),
  holds: ([verdict]) => verdict === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const writingIsAnEdit: Law.Law = Law.ofVerdicts({
  name: "writing by a command is an edit",
  statement:
    "A rule that denies edits of a folder denies every line that writes there, by a redirection or by a command " +
    "that is known to write, whatever else the line does.",
  situations: Arbitrary.map(
    Arbitrary.all({ open: opening(true), mode: modes, before: shells, operator: pick("&&", ";", "|", "\n") }),
    ({ before, mode, open, operator }) => {
      const situation = guarding("Edit(//vault/**)", mode, open("/vault/new"))
      const { command } = situation.input
      return [
        typeof command === "string"
          ? { ...situation, input: { command: `${printShell(before)} ${operator} ${command}` } }
          : situation
      ] as const
    }
  ),
  holds: ([verdict]) => verdict === "deny"
})
