/**
 * Reads a script of the syntax tree: every command that it could start, and
 * where the shell then stands.
 *
 * @since 0.1.0
 */
import type { CommandNode, Function, ParsedScript, PipelineNode, Statement, TestExpression } from "unbash"
import type { SimpleCommand } from "../../domain/ShellCommand.ts"
import { literal, noteAssigned } from "./assigning.ts"
import type { Context } from "./Context.ts"
import { inArithmetic, inWord } from "./findNested.ts"
import { deepest, type Frame, type Functions, type Input, misread, type Shell, unknownInput } from "./Line.ts"
import { noteComputed, noteValue } from "./numbers.ts"
import { anywhere, directoryOf, elsewhereOf, join, type Outcome, type Place, within } from "./Place.ts"
import { readRedirects } from "./readRedirects.ts"
import { readSimple } from "./readSimple.ts"
import { writtenText } from "./writtenText.ts"

/**
 * Reads all statements of a script.
 *
 * @category reading
 * @since 0.1.0
 */
export const readScript = (
  script: ParsedScript,
  frame: Frame,
  place: Place,
  input: Input,
  context: Context
): Outcome => {
  frame.line.budget -= script.end - script.pos + 8
  if (frame.depth > deepest || frame.line.budget < 0) {
    misread(frame.line, "substitutions that hold each other too deep")
    return stay(anywhere)
  }
  if (script.errors !== undefined && script.errors.length > 0) misread(frame.line, "a syntax error")
  return readList(script.commands, frame, place, input, context)
}

const stay = (place: Place): Outcome => ({ ok: place, fail: place })

const after = (outcome: Outcome): Place => join(outcome.ok, outcome.fail)

const readList = (
  statements: ReadonlyArray<Statement>,
  frame: Frame,
  place: Place,
  input: Input,
  context: Context
): Outcome => {
  let outcome = stay(place)
  for (const statement of statements) {
    const here = after(outcome)
    if (statement.background === true) {
      inSubshell(frame, () => readNode(statement.command, frame, here, input, context))
      outcome = stay(here)
    } else {
      outcome = statement.command.type === "AndOr"
        ? readAndOr(statement.command, frame, here, input, context)
        : readNode(statement.command, frame, here, input, context)
    }
  }
  return outcome
}

const readAndOr = (
  node: Extract<Statement["command"], { type: "AndOr" }>,
  frame: Frame,
  place: Place,
  input: Input,
  context: Context
): Outcome => {
  let outcome = stay(place)
  let certain: Functions["certain"] | undefined
  node.commands.forEach((command, index) => {
    const operator = index === 0 ? undefined : node.operators[index - 1]
    if (operator === undefined) {
      outcome = readNode(command, frame, place, input, context)
      certain = frame.shell.functions?.certain
    } else if (operator === "&&") {
      const next = readNode(command, frame, outcome.ok, input, context)
      outcome = { ok: next.ok, fail: join(outcome.fail, next.fail) }
    } else {
      restore(frame, certain)
      const next = readNode(command, frame, outcome.fail, input, context)
      outcome = { ok: join(outcome.ok, next.ok), fail: next.fail }
    }
  })
  restore(frame, certain)
  return outcome
}

const restore = (frame: Frame, certain: Functions["certain"] | undefined): void => {
  if (frame.shell.functions !== undefined) frame.shell.functions.certain = certain ?? new Map()
}

// What a subshell or a branch defines isn't certain after it.
const inSubshell = <A>(frame: Frame, read: () => A): A => {
  const certain = frame.shell.functions?.certain
  const result = read()
  restore(frame, certain)
  return result
}

const readNode = (
  node: PipelineNode | Statement["command"],
  frame: Frame,
  place: Place,
  input: Input,
  context: Context
): Outcome => {
  switch (node.type) {
    case "Command":
      return readSimple(node, frame, place, input, context)
    case "AndOr":
      return readAndOr(node, frame, place, input, context)
    case "Pipeline":
      return readPipeline(node, frame, place, input, context)
    case "Redirected": {
      const { files, input: fed } = readRedirects(node.redirects, frame, place)
      if (files.length > 0) frame.commands.push(wordless(node.redirects, files, frame, place))
      return readNode(node.command, frame, place, fed === undefined ? input : unknownInput, context)
    }
    case "If":
      return readIf(node, frame, place, input, context)
    case "While":
      return readLoop(frame, place, (here) => {
        const clause = readList(node.clause.commands, frame, here, input, context)
        const body = readList(node.body.commands, frame, after(clause), input, context)
        return join(after(clause), after(body))
      })
    case "For":
    case "Select":
      for (const word of node.wordlist ?? []) {
        inWord(word, frame, place, "bare")
        noteValue(frame, node.name.value, word)
        noteAssigned(frame, node.name.text, `${node.name.text}=${word.text}`, literal(word))
      }
      if (node.wordlist === undefined) noteAssigned(frame, node.name.text, `for ${node.name.text}`)
      if (node.type === "Select" || node.wordlist === undefined) noteValue(frame, node.name.value, undefined)
      return readLoop(frame, place, (here) => after(readList(node.body.commands, frame, here, input, context)))
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) {
        if (part !== undefined) inArithmetic(part, frame, place)
      }
      return readLoop(frame, place, (here) => after(readList(node.body.commands, frame, here, input, context)))
    case "Case": {
      inWord(node.word, frame, place, "bare")
      let reached = place
      for (const item of node.items) {
        for (const pattern of item.pattern) inWord(pattern, frame, place, "operand")
        // A body may be fallen into from the one before.
        const body = inSubshell(frame, () => readList(item.body.commands, frame, reached, input, context))
        reached = join(reached, after(body))
      }
      return stay(reached)
    }
    case "Subshell":
      inSubshell(frame, () => readList(node.body.commands, frame, place, input, context))
      return stay(place)
    case "BraceGroup":
      return readList(node.body.commands, frame, place, input, context)
    case "TestCommand":
      readTest(node.expression, frame, place)
      return stay(place)
    case "ArithmeticCommand":
      frame.line.evaluates = true
      if (node.expression !== undefined) inArithmetic(node.expression, frame, place)
      else if (node.body.trim() !== "") misread(frame.line, "arithmetic that can't be read")
      return stay(place)
    case "Function":
      readFunction(node, frame, place, context)
      return stay(place)
    case "Coproc":
      if (node.name !== undefined) {
        noteAssigned(frame, node.name.text, `coproc ${node.name.text}`)
        inWord(node.name, frame, place, "bare")
      }
      inSubshell(frame, () =>
        node.body.type === "CompoundList"
          ? readList(node.body.commands, frame, place, unknownInput, context)
          : readNode(node.body, frame, place, unknownInput, context))
      return stay(place)
  }
}

const readPipeline = (
  node: Extract<PipelineNode, { type: "Pipeline" }>,
  frame: Frame,
  place: Place,
  input: Input,
  context: Context
): Outcome => {
  const negated = node.prefixes.filter((prefix) => prefix.type === "Negation").length % 2 === 1
  const [only] = node.commands
  if (node.commands.length === 1 && only !== undefined) {
    const { fail, ok } = readNode(only, frame, place, input, context)
    return negated ? { ok: fail, fail: ok } : { ok, fail }
  }
  let fed = input
  for (const command of node.commands) {
    const from = fed
    inSubshell(frame, () => readNode(command, frame, place, from, context))
    fed = command.type === "Command" ? writtenText(frame.commands.at(-1), frame.shell.input) : unknownInput
  }
  return stay(place)
}

const readIf = (
  node: Extract<CommandNode, { type: "If" }>,
  frame: Frame,
  place: Place,
  input: Input,
  context: Context
): Outcome => {
  const branches = [{ clause: node.clause, then: node.then }, ...node.elif]
  const reached: Array<Place> = []
  let here = place
  for (const branch of branches) {
    const clause = readList(branch.clause.commands, frame, here, input, context)
    reached.push(after(inSubshell(frame, () => readList(branch.then.commands, frame, clause.ok, input, context))))
    here = clause.fail
  }
  const otherwise = node.else
  reached.push(
    otherwise === undefined
      ? here
      : after(inSubshell(frame, () => readList(otherwise.commands, frame, here, input, context)))
  )
  return stay(reached.reduce(join))
}

// What a loop's body does to the place holds for its next round as well.
const readLoop = (frame: Frame, place: Place, read: (place: Place) => Place): Outcome => {
  const from = frame.commands.length
  const reached = inSubshell(frame, () => read(place))
  if (within(reached, place)) return stay(place)
  relocate(frame.commands, from, frame.commands.length)
  return stay(anywhere)
}

/**
 * Forgets the directory of commands that may run in another than where they
 * were read.
 *
 * @category placing
 * @since 0.1.0
 */
export const relocate = (commands: Array<SimpleCommand>, from: number, to: number): void => {
  for (let index = from; index < to; index++) {
    const command = commands[index]
    if (command !== undefined) commands[index] = displaced(command)
  }
}

const displaced = (command: SimpleCommand): SimpleCommand => ({
  ...command,
  directory: undefined,
  elsewhere: undefined,
  inner: command.inner.length === 0 ? command.inner : command.inner.map(displaced)
})

const readFunction = (node: Function, frame: Frame, place: Place, context: Context): void => {
  const functions: Functions = frame.shell.functions ??
    { certain: new Map(), defined: new Set(), bodies: [], calls: new Set() }
  frame.shell.functions = functions
  const name = node.name.value
  if (node.name.parts !== undefined || !/^[^\s$`'"\\]+$/.test(name)) misread(frame.line, "an odd name of a function")
  functions.defined.add(name)
  frame.line.redefined ??= new Set()
  frame.line.redefined.add(name)
  const from = frame.commands.length
  const body = node.body
  const reached = inSubshell(frame, () =>
    after(
      body.type === "CompoundList"
        ? readList(body.commands, frame, place, unknownInput, context)
        : readNode(body, frame, place, unknownInput, context)
    ))
  functions.bodies.push([from, frame.commands.length])
  functions.certain = new Map(functions.certain).set(name, !within(reached, place))
}

/**
 * Says whether a `;` follows a here-document in a substitution. Bash 5.2 loses
 * it there, so that of `$(cat <<E … E` newline `git; push)` it runs `git push`.
 *
 * @category guards
 * @since 0.1.0
 */
export const losesSemicolon = (script: ParsedScript, source: string, shell: Shell): boolean => {
  if (shell.hereDocs.length === 0 || source.charAt(script.pos - 1) === "`") return false
  const found = shell.hereDocs.filter(([start]) => start >= script.pos && start < script.end)
  const ends = found.map(([, , end]) => end)
  return found.some(([start, body], index) =>
    source.slice(Math.max(start, ends[index - 1] ?? 0), body).includes(";")
  ) ||
    source.slice(ends.at(-1) ?? script.end, script.end).includes(";")
}

const readTest = (expression: TestExpression, frame: Frame, place: Place): void => {
  switch (expression.type) {
    case "TestLogical":
      for (const operand of expression.operands) readTest(operand, frame, place)
      return
    case "TestNot":
      return readTest(expression.operand, frame, place)
    case "TestGroup":
      return readTest(expression.expression, frame, place)
    case "TestUnary":
      if (expression.operator === "-v" || expression.operator === "-R") {
        noteComputed(frame, expression.operand.parts, expression.operand.value)
      }
      return inWord(expression.operand, frame, place, "bare")
    case "TestBinary":
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)) {
        noteComputed(frame, expression.left.parts, expression.left.value)
        noteComputed(frame, expression.right.parts, expression.right.value)
      }
      inWord(expression.left, frame, place, "bare")
      return inWord(expression.right, frame, place, expression.operator === "=~" ? "operand" : "bare")
  }
}

const wordless = (
  nodes: ReadonlyArray<{ readonly pos: number; readonly end: number }>,
  redirects: SimpleCommand["redirects"],
  frame: Frame,
  place: Place
): SimpleCommand => ({
  words: [],
  assignments: [],
  redirects,
  source: frame.source.slice(nodes[0]?.pos, nodes.at(-1)?.end),
  directory: directoryOf(place),
  elsewhere: elsewhereOf(place),
  carrier: undefined,
  inner: [],
  transparent: false,
  exactOnly: false
})
