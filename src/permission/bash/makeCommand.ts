/**
 * Makes a simple command of its words, with all that it would start in turn.
 *
 * @since 0.1.0
 */
import type { Redirect, SimpleCommand } from "../../domain/ShellCommand.ts"
import { type Context, elsewhere } from "./Context.ts"
import { deepest, misread, type Started } from "./Line.ts"
import { directoryOf, elsewhereOf } from "./Place.ts"
import { readCarried } from "./readCarried.ts"

const noRedirects: ReadonlyArray<Redirect> = []
const noCommands: ReadonlyArray<SimpleCommand> = []

/**
 * Makes the command. Too deep a nest is not followed: the line is then refused
 * and searched as text.
 *
 * @category making
 * @since 0.1.0
 */
export const makeCommand = (
  started: Started,
  context: Context,
  source: string = started.words.map((word) => word.source).join(" ").trim(),
  redirects: ReadonlyArray<Redirect> = noRedirects
): SimpleCommand => {
  const deep = context.depth > deepest
  if (deep) misread(context.line, "commands that start each other too deep")
  const named = deep || (started.assignments.length === 0 && !declares(started))
    ? noCommands
    : readAssigned(started, context)
  const carried = deep ? undefined : readCarried(started, context)
  return {
    words: started.words,
    assignments: started.assignments,
    redirects,
    source,
    directory: directoryOf(started.place),
    elsewhere: elsewhereOf(started.place),
    carrier: carried?.carrier ?? (named.length > 0 ? "delegate" : undefined),
    inner: named.length > 0 ? [...carried?.inner ?? noCommands, ...named] : carried?.inner ?? noCommands,
    transparent: named.length === 0 && carried?.transparent === true,
    exactOnly: carried?.exactOnly ?? false
  }
}

const commandVariables =
  /^(?:(?:\w+_)?(?:PAGER|EDITOR|ASKPASS|SSH|SSH_COMMAND|RSH|PASSCOMMAND|PASSWORD_COMMAND|PROXY_COMMAND)|MANPAGER|HGEDITOR|GIT_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+|VISUAL|FCEDIT|BROWSER|LESSOPEN|LESSCLOSE|FZF_DEFAULT_COMMAND|PROMPT_COMMAND|PS[0-4]|(?:RUSTC|CC|CXX)(?:_WRAPPER|_WORKSPACE_WRAPPER)?|MAKE|TAR_OPTIONS)$/

// What `less` reads through begins with a bar, what `git` starts by an alias with a mark, and options are no program.
const lineIn = (name: string, text: string): string =>
  name === "TAR_OPTIONS" ? `tar ${text}` : text.replace(/^(?:\|\|?-?|-|!)\s*/, "")

const declaring = new Set(["export", "declare", "typeset", "readonly", "local"])

const declares = ({ words: [program] }: Started): boolean => declaring.has(program?.value ?? "")

// Some variables name a command that the program, or a later one, runs.
const readAssigned = (started: Started, context: Context): ReadonlyArray<SimpleCommand> =>
  [
    ...started.assignments.map(({ name, value }) => [name, value.value] as const),
    ...(declares(started)
      ? started.words.map(({ value }) => [value?.split("=", 1)[0] ?? "", value?.slice(value.indexOf("=") + 1)] as const)
      : [])
  ].flatMap(([name, text]) =>
    text === undefined || text === "" || !commandVariables.test(name)
      ? []
      : elsewhere(
        started,
        context,
        (inside) =>
          inside.text(lineIn(name, text), started.place, started.input, { ...inside, depth: inside.depth + 1 })
      )
  )
