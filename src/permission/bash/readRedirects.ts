/**
 * Reads the redirections of a command: the files they open, and what they put
 * on its standard input.
 *
 * @since 0.1.0
 */
import type { HereDoc, Redirect as RedirectNode, Redirection } from "unbash"
import type { Redirect, Word } from "../../domain/ShellCommand.ts"
import { noteAssigned } from "./assigning.ts"
import { inPart } from "./findNested.ts"
import { checkLiteral } from "./guards.ts"
import { type Frame, type Input, misread, noInput, refuse, unknownInput } from "./Line.ts"
import { noteComputed } from "./numbers.ts"
import { asOwnView } from "./ownView.ts"
import type { Place } from "./Place.ts"
import { readWord } from "./readWord.ts"

/**
 * What the redirections of one command come to; `input` is undefined where
 * they leave standard input alone.
 *
 * @category models
 * @since 0.1.0
 */
export interface Redirections {
  readonly files: ReadonlyArray<Redirect>
  readonly input: Input | undefined
}

const none: Redirections = { files: [], input: undefined }

/**
 * Reads redirections in the order in which they stand.
 *
 * @category reading
 * @since 0.1.0
 */
export const readRedirects = (nodes: ReadonlyArray<Redirection>, frame: Frame, place: Place): Redirections => {
  if (nodes.length === 0) return none
  const files: Array<Redirect> = []
  let input: Input | undefined
  for (const node of nodes) {
    const descriptor = node.descriptor
    // The parser takes any number for a descriptor; the shell takes a large one for a word.
    if (descriptor?.type === "FileDescriptor" && descriptor.value > 255) misread(frame.line, "an odd file descriptor")
    if (descriptor?.type === "FileDescriptorVariable") {
      const [name = ""] = descriptor.name.split("[", 1)
      noteAssigned(frame, name, `{${descriptor.name}}${node.operator}`)
      if (name !== descriptor.name) noteComputed(frame, undefined, descriptor.name.slice(name.length + 1, -1))
    }
    const toInput = descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0)
    if (node.type === "HereDoc") {
      const text = readHereDoc(node, frame, place)
      if (toInput) input = text === undefined ? unknownInput : { kind: "text", text }
    } else if (node.target === undefined) {
      misread(frame.line, "a redirection without a target")
    } else if (node.type === "HereString") {
      const { value } = readWord(node.target, frame, place)
      if (toInput) input = value === undefined ? unknownInput : { kind: "text", text: `${value}\n` }
    } else {
      const file = readFile(node, frame, place)
      if (file !== undefined) files.push(file)
      const fromInput = node.operator === "<" || node.operator === "<>" || node.operator === "<&"
      if (fromInput && toInput) input = file === undefined && node.operator === "<" ? noInput : unknownInput
    }
  }
  return { files, input }
}

const streams = /^\/dev\/(?:null|std(?:in|out|err)|fd\/\d+)$/
const onceOnly = /^[\w./:@%+,=-]*$/
const descriptorCopy = /^(?:\d+-?|-)$/

const readFile = (node: RedirectNode, frame: Frame, place: Place): Redirect | undefined => {
  if (node.target === undefined) return undefined
  const target = asOwnView(readWord(node.target, frame, place))
  const { operator } = node
  if (operator === "<&" || operator === ">&") {
    if (target.value !== undefined && descriptorCopy.test(target.value)) return undefined
    // Bash expands the target of a bare `>&` once more after its quotes are gone: `>& '$(rm x)'` runs `rm`.
    if (operator === ">&" && (target.value === undefined || !onceOnly.test(target.value))) {
      misread(frame.line, "an output target that is expanded twice")
    }
    // The parser splits `>&-x` where the shell does not.
    if (target.value !== undefined && /^[-\d]/.test(target.value)) misread(frame.line, "an odd descriptor copy")
    // What is copied for reading has to be a descriptor, whatever it comes to.
    if (operator === "<&") return undefined
  }
  if (target.value !== undefined && streams.test(target.value)) return undefined
  if (connects(target, frame.source)) refuse(frame.line, "a redirection that opens a connection")
  return { access: operator === "<" ? "read" : operator === "<>" ? "readwrite" : "write", target }
}

const connections = ["/dev/tcp/", "/dev/udp/"]

// INVARIANT: no rule for files or for the command itself is about these names, for which bash opens a connection.
const connects = ({ known: [start], value }: Word, source: string): boolean =>
  value === undefined
    ? connections.some((name) => start.startsWith(name) || name.startsWith(start)) &&
      (start !== "" || /\b(?:tcp|udp)\b/.test(source))
    : connections.some((name) => value.startsWith(name))

const delimiter = /^(?:[\w.+-]+|'[\w.+\- ]*'|"[\w.+\- ]*"|\\\w)+$/

// Returns the text that the command reads, or undefined where it holds an expansion.
const readHereDoc = (node: HereDoc, frame: Frame, place: Place): string | undefined => {
  if (node.closing === undefined) misread(frame.line, "a here-document without its end")
  if (node.delimiter?.quoted === true) frame.literal?.push([node.delimiter.pos, node.delimiter.end])
  if (
    node.delimiter === undefined || !delimiter.test(node.delimiter.text) ||
    node.delimiter.value !== node.delimiter.text.replace(/['"\\]/g, "") ||
    node.delimiter.quoted !== /['"\\]/.test(node.delimiter.text)
  ) {
    misread(frame.line, "an odd here-document delimiter")
  }
  frame.shell.hereDocs.push([node.pos, node.body.pos, node.body.end])
  frame.words?.push([node.body.pos, node.body.end])
  const { parts, text } = node.body
  const plain = node.operator === "<<-" ? text.replace(/^\t+/gm, "") : text
  if (node.delimiter?.quoted === true) {
    frame.literal?.push([node.body.pos, node.body.end])
    return plain
  }
  if (parts === undefined) {
    checkLiteral(frame, text, "quoted")
    return plain.includes("\\")
      ? plain.replace(/\\([$`\\]|\n)/g, (_, unit: string) => unit === "\n" ? "" : unit)
      : plain
  }
  let certain = true
  // Continuations are taken out of the whole body first, quotes in its substitutions or not.
  const joined: Frame = { ...frame, literal: undefined }
  for (const part of parts) {
    inPart(part, joined, place, "quoted")
    certain &&= part.type === "Literal"
  }
  return certain ? parts.map((part) => part.type === "Literal" ? part.value : "").join("") : undefined
}

/**
 * Refuses what a program would read as commands and only running tells.
 *
 * @category refusing
 * @since 0.1.0
 */
export const refuseRuntimeText = (frame: Frame): void =>
  refuse(frame.line, "a command text that only running the line tells")
