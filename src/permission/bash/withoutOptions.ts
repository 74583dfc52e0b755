/**
 * Finds the subcommand of a program behind options, whose values nobody can
 * tell from it without knowing the program: `kubectl -n prod delete pod x`.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"

/**
 * Returns the forms that a command may be meant as once the options before
 * and within its subcommand are gone, each with or without the word after it;
 * none where no option stands there, or for a program without subcommands.
 *
 * @category reading
 * @since 0.1.0
 */
export const withoutOptions = (words: ReadonlyArray<Word>): ReadonlyArray<ReadonlyArray<Word>> => {
  const [program, ...rest] = words
  const depth = program?.value === undefined ? undefined : depths.get(program.value)
  if (program === undefined || depth === undefined) return []
  const end = rest.findIndex(({ value }) => value === "--")
  if (!rest.slice(0, end < 0 ? depth : Math.min(end, depth)).some(isOption)) return []
  const forms: Array<ReadonlyArray<Word>> = []
  const add = (at: number, kept: ReadonlyArray<Word>): void => {
    const word = rest[at]
    if (forms.length >= mostForms) return
    if (word === undefined || kept.length > depth || word.value === "--") {
      forms.push([...kept, ...rest.slice(at)])
      return
    }
    if (!isOption(word)) return add(at + 1, [...kept, word])
    add(at + 1, kept)
    const next = rest[at + 1]
    if (next !== undefined && !isOption(next) && !/^\+|=/.test(word.known[0])) add(at + 2, kept)
  }
  add(0, [program])
  return forms
}

const mostForms = 16

const isOption = ({ known: [text] }: Word): boolean => /^-.|^\+\w/.test(text)

const named = (depth: number, names: string): ReadonlyArray<readonly [name: string, depth: number]> =>
  names.split(" ").map((name) => [name, depth])

// How many words the longest of its subcommands has.
const depths: ReadonlyMap<string, number> = new Map([
  ...named(1, "chmod chown make gmake mvn gradle ansible brew pulumi apk"),
  ...named(
    2,
    "kubectl oc helm terraform tofu docker podman nerdctl docker-compose cargo rustup systemctl service npm pnpm yarn bun deno pip pip3 pipx uv poetry apt apt-get dnf yum pacman zypper snap svn hg jj go dotnet flutter gem bundle composer vercel wrangler fly flyctl heroku firebase supabase"
  ),
  ...named(3, "gh glab aws gcloud az doctl")
])
