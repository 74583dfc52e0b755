/**
 * Reads what `ssh`, or a program that keeps it going, starts on another machine.
 *
 * @since 0.1.0
 */
import type { SimpleCommand } from "../../domain/ShellCommand.ts"
import type { CarrierSpec } from "./carriers.ts"
import { type Carried, type Context, elsewhere, type Reader, readTextOf, unknownCommand } from "./Context.ts"
import type { Started } from "./Line.ts"
import { passOptions } from "./Options.ts"
import { anywhere } from "./Place.ts"
import { sshTexts } from "./readOptionTexts.ts"

const spec: CarrierSpec = {
  options:
    "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B: -b: -c: -D: -E: -e: -F: -I: -i: -J: -L: -l: -m: -O: -o: -P: -p: -Q: -R: -S: -W: -w:"
}

const kept: CarrierSpec = { options: spec.options?.replace(" -M ", " -M: ") ?? "" }

/**
 * Reads `ssh`: the words after the host are one text for the shell there, and
 * without any the shell reads its standard input.
 *
 * @category reading
 * @since 0.1.0
 */
export const readRemote: Reader = (started, context) => readWith(spec, started, context)

/**
 * Reads `autossh`, which has one option beside those of `ssh`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readKeptRemote: Reader = (started, context) => readWith(kept, started, context)

const readWith = (spec: CarrierSpec, started: Started, context: Context): Carried | undefined => {
  const first = passOptions(started.words, 1, spec)
  const second = passOptions(started.words, first.at + 1, spec)
  const rest = started.words.slice(second.at)
  const remote: Started = { ...started, place: anywhere }
  const inner = elsewhere(remote, context, (inside) => [
    ...sshTexts(started.words.slice(1)).flatMap((text) => readTextOf([text], started, inside)),
    ...(rest.length > 0 ? readTextOf(rest, remote, inside) : fromInput(remote, inside))
  ])
  return inner.length === 0 ? undefined : { carrier: "delegate", inner, transparent: false, exactOnly: false }
}

const fromInput = (remote: Started, context: Context): ReadonlyArray<SimpleCommand> =>
  remote.input.kind === "text"
    ? context.text(remote.input.text, remote.place, remote.input, { ...context, depth: context.depth + 1 })
    : remote.input.kind === "unknown"
    ? [unknownCommand(remote, context)]
    : []
