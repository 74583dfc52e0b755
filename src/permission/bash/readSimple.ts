/**
 * Reads a simple command of the syntax tree.
 *
 * @since 0.1.0
 */
import type { Assignment as AssignmentNode, Command } from "unbash"
import type { Assignment, SimpleCommand, Word } from "../../domain/ShellCommand.ts"
import { noteNamed } from "./assigning.ts"
import type { Context } from "./Context.ts"
import { inSubscript, inWord } from "./findNested.ts"
import { checkBetween } from "./guards.ts"
import { type Frame, type Input, refuse, unknownInput } from "./Line.ts"
import { makeCommand } from "./makeCommand.ts"
import { namesGiven } from "./namesGiven.ts"
import { noteComputed, noteLoose, noteValue } from "./numbers.ts"
import { anywhere, directoryOf, elsewhereOf, move, nowhere, type Outcome, type Place } from "./Place.ts"
import { readRedirects } from "./readRedirects.ts"
import { readWord, readWords } from "./readWord.ts"
import { afterReplacing } from "./replaced.ts"
import { gap, wordOf } from "./WordDraft.ts"

/**
 * Reads the command, adds it to the frame's, and returns where the shell then
 * stands.
 *
 * @category reading
 * @since 0.1.0
 */
export const readSimple = (node: Command, frame: Frame, place: Place, ambient: Input, context: Context): Outcome => {
  const words: Array<Word> = node.name === undefined ? [] : [...readWords(node.name, frame, place)]
  const assignments: Array<Assignment> = []
  for (const part of node.prefix) {
    if (part.type === "Assignment") assignments.push(readAssignment(part, frame, place))
  }
  for (const argument of node.args) {
    if (argument.type === "Word") words.push(...readWords(argument, frame, place))
    else words.push(readDeclared(argument, frame, place))
  }
  const called = words[0]?.value === undefined ? undefined : frame.shell.functions?.certain.get(words[0].value)
  // What parts the fields of a line that is read holds for the reading alone.
  const kept = called === undefined && words[0]?.value === "read"
    ? assignments.filter(({ name }) => name !== "IFS")
    : assignments
  const { files, input } = readRedirects(node.redirects, frame, place)
  if (!frame.plain) checkPieces(node, frame)
  const source = frame.source.slice(node.pos, node.end)
  const reached = input ?? (frame.shell.fed ? unknownInput : ambient)
  if (input !== undefined && words.length === 1 && words[0]?.value === "exec") frame.shell.fed = true
  const started = { words, assignments: kept, place, input: reached }
  noteEvaluator(words, frame)
  const command = called === undefined
    ? makeCommand(started, inside(frame, context), source, files)
    : callOf(started.words, kept, place, source, files)
  if (called !== undefined) frame.shell.functions?.calls.add(command)
  frame.commands.push(command)
  frame.shell.replaced = afterReplacing(frame.shell.replaced, command)
  frame.shell.input = reached
  if (called !== undefined) return stay(called ? anywhere : place)
  return outcomeOf(words, place, frame)
}

// What a text that the command runs has to know of the shell around it.
const inside = ({ shell: { reglobs, rehomes, replaced } }: Frame, context: Context): Context =>
  rehomes || reglobs || replaced !== undefined
    ? { ...context, rehomed: rehomes, reglobbed: reglobs, replaced }
    : context

// A call of a function runs the body's commands, which are in the list already, and nothing else.
const callOf = (
  words: ReadonlyArray<Word>,
  assignments: ReadonlyArray<Assignment>,
  place: Place,
  source: string,
  redirects: SimpleCommand["redirects"]
): SimpleCommand => {
  const nothing: SimpleCommand = {
    words: [],
    assignments,
    redirects: [],
    source,
    directory: directoryOf(place),
    elsewhere: elsewhereOf(place),
    carrier: undefined,
    inner: [],
    transparent: false,
    exactOnly: false
  }
  return { ...nothing, words, redirects, carrier: "interpreter", inner: [nothing], transparent: true }
}

const readAssignment = (node: AssignmentNode, frame: Frame, place: Place): Assignment => {
  const certain = node.append !== true && node.index === undefined && !node.text.includes(":~")
  const value = readValue(node, frame, place)
  return { name: node.name, value: certain ? value : wordOf(node.text, [gap], false) }
}

const readValue = (node: AssignmentNode, frame: Frame, place: Place): Word => {
  if (node.index !== undefined) inSubscript(node.index, frame, place)
  noteValue(frame, node.name, node.value.type === "Word" ? node.value : undefined)
  if (node.name === "BASH_ALIASES" || node.name === "BASH_CMDS") {
    refuse(frame.line, "a name that comes to mean another program")
  }
  if (node.value.type === "Word") return readWord(node.value, frame, place)
  for (const element of node.value.elements) {
    const index = /^\[([^\]]*)\]\+?=/.exec(element.text)?.[1]
    if (index !== undefined && !/^\d*$/.test(index)) noteComputed(frame, undefined, index)
    inWord(element, frame, place, "operand")
  }
  return wordOf(node.text, [gap], false)
}

// An argument of `declare` and its like that has the form of an assignment is one word.
const readDeclared = (node: AssignmentNode, frame: Frame, place: Place): Word => {
  const value = readValue(node, frame, place)
  const name = node.text.slice(0, node.value.pos - node.pos)
  if (!/^\w+(?:\[\w*\])?\+?=$/.test(name)) return wordOf(node.text, [gap], false)
  if (node.value.type !== "Word") return wordOf(node.text, [{ text: name, bare: false }, gap], false)
  const [first, ...rest] = value.known
  return {
    source: node.text,
    known: [name + first, ...rest],
    value: value.value === undefined ? undefined : name + value.value,
    splits: false,
    glob: value.glob,
    tilde: false
  }
}

const checkPieces = (node: Command, frame: Frame): void => {
  let at = node.pos
  const check = (piece: { readonly pos: number; readonly end: number }): void => {
    checkBetween(frame, at, piece.pos)
    at = piece.end
  }
  node.prefix.forEach(check)
  if (node.name !== undefined) check(node.name)
  node.suffix.forEach(check)
}

const stay = (place: Place): Outcome => ({ ok: place, fail: place })

const outcomeOf = (words: ReadonlyArray<Word>, place: Place, frame: Frame): Outcome => {
  const [first] = words
  if (first === undefined) return stay(place)
  if (first.value === undefined) return moved(stay(anywhere), frame)
  switch (first.value) {
    case "builtin":
    case "command": {
      const rest = words.slice(words[1]?.value === "-p" || words[1]?.value === "--" ? 2 : 1)
      return rest.length === 0 ? stay(place) : outcomeOf(rest, place, frame)
    }
    case "cd":
    case "pushd":
    case "popd":
      return moved(
        { ok: first.value === "popd" ? anywhere : move(place, words, frame.shell.rehomes), fail: place },
        frame
      )
    case "eval":
      return words.every((word) =>
          word.value !== undefined && !/\bcd\b|\bpushd\b|\bpopd\b|\.\s|source|[$`]/.test(word.value)
        )
        ? stay(place)
        : moved(stay(anywhere), frame)
    case "source":
    case ".":
      return moved(stay(anywhere), frame)
    case "exit":
      return stay(nowhere)
    case "exec":
      return words.length > 1 ? stay(nowhere) : stay(place)
    case "unset":
      if (frame.shell.functions !== undefined) refuse(frame.line, "a function that is taken away again")
      return stay(place)
    default:
      return stay(place)
  }
}

const moved = (outcome: Outcome, frame: Frame): Outcome => {
  frame.shell.moves = true
  return outcome
}

const declaring = new Set(["declare", "typeset", "local", "export", "readonly", "unset"])
const reading = new Set(["read", "printf", "wait", "getopts", "mapfile", "readarray"])
const evaluating = new Set(["let", "compgen", "complete", "bind", "enable"])

const notable = new Set(["shopt", ...declaring, ...reading, ...evaluating, "command", "builtin", "test", "["])

// Builtins that take names or texts and evaluate them once more, and those that fill variables.
const noteEvaluator = (words: ReadonlyArray<Word>, frame: Frame): void => {
  const name = words[0]?.value
  if (name === undefined || !notable.has(name)) return
  if (name === "command" || name === "builtin") {
    const at = words.findIndex(({ value }, index) => index > 0 && value !== "--" && value !== "-p")
    return at < 0 ? undefined : noteEvaluator(words.slice(at), frame)
  }
  if (name === "shopt") return noteOptions(words.slice(1), frame)
  for (const word of namesGiven(words)) noteNamed(frame, word)
  const rest = words.slice(1)
  const text = (word: Word): string => word.known.join("$")
  if (reading.has(name)) {
    for (const word of rest) {
      if (word.value !== undefined && /^\w+$/.test(word.value)) noteLoose(frame, word.value)
      else if (name === "read" && word.value === undefined) frame.line.computesUnknown = true
      if (/\[/.test(text(word)) && (name !== "printf" || rest[0]?.value === "-v")) evaluated(word, frame)
    }
    if (name === "mapfile" || name === "readarray") frame.line.evaluates = true
  } else if (declaring.has(name)) {
    const flags = rest.findIndex(({ known }) => !/^[-+]/.test(known[0]))
    const computes = (flags < 0 ? rest : rest.slice(0, flags)).some(({ known }) => /[in]/.test(known[0])) &&
      name !== "export" && name !== "unset" && name !== "readonly"
    for (const word of rest) {
      if (computes || word.known[0] === "" || /^[^=]*\[/.test(word.known[0])) evaluated(word, frame)
    }
  } else if (evaluating.has(name)) {
    for (const word of rest) evaluated(word, frame)
  } else if (name === "test" || name === "[") {
    rest.forEach((word, index) => {
      if (rest[index - 1]?.value === "-v" || rest[index - 1]?.value === "-R") evaluated(word, frame)
    })
  }
}

// Options that change what wildcards find and where `cd` leads.
const noteOptions = (words: ReadonlyArray<Word>, { shell }: Frame): void => {
  for (const { value } of words) {
    if (value === undefined || /^(?:nocaseglob|extglob|dotglob)$/.test(value)) shell.reglobs = true
    if (value === undefined || /^(?:cdable_vars|cdspell|autocd)$/.test(value)) shell.rehomes = true
  }
}

const evaluated = (word: Word, frame: Frame): void => {
  frame.line.evaluates = true
  if (word.value === undefined) frame.line.computesUnknown = true
  noteComputed(frame, undefined, word.value ?? "")
}
