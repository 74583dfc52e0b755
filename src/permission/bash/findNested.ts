/**
 * Finds the commands inside the parts of words: substitutions in quotes, in
 * parameter operations, in subscripts and in arithmetic.
 *
 * @since 0.1.0
 */
import type { ArithmeticExpression, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash"
import { literal, noteArithmetic, noteAssigned } from "./assigning.ts"
import { decodeAnsi } from "./decodeAnsi.ts"
import { mayExpand } from "./expandBraces.ts"
import { checkLiteral, noteQuoted, type Standing } from "./guards.ts"
import { type Frame, type Input, misread, noInput, unknownInput } from "./Line.ts"
import { noteComputed, noteReferred, noteValue } from "./numbers.ts"
import type { Place } from "./Place.ts"

/**
 * Reads whatever a part of a word would start.
 *
 * @category finding
 * @since 0.1.0
 */
export const inPart = (part: WordPart, frame: Frame, place: Place, standing: Standing): void => {
  switch (part.type) {
    case "Literal":
      if (part.text.includes("\\")) noteQuoted(frame, part.value)
      return checkLiteral(frame, part.text, standing)
    case "SingleQuoted":
    case "AnsiCQuoted":
      frame.literal?.push([part.pos, part.end])
      noteQuoted(frame, part.type === "SingleQuoted" ? part.value : decodeAnsi(part.text.slice(2, -1)) ?? "`")
      if (standing === "arithmetic" && /[$`]/.test(part.value)) {
        misread(frame.line, "quotes that do not protect inside arithmetic")
      }
      return
    case "DoubleQuoted":
    case "LocaleString":
      for (const child of part.parts) {
        checkBraces(child, frame)
        inPart(child, frame, place, "quoted")
      }
      return
    case "SimpleExpansion":
      return
    case "ParameterExpansion":
      return inParameter(part, frame, place)
    case "CommandExpansion":
      if (part.text.startsWith("${")) misread(frame.line, "a command substitution that only newer shells know")
      if (part.text.startsWith("`") && part.text.includes("\\\n")) {
        misread(frame.line, "a line continuation inside backticks")
      }
      return inScript(part.script, frame, place, noInput)
    case "ArithmeticExpansion":
      if (part.expression !== undefined) inArithmetic(part.expression, frame, place)
      else if (/\w/.test(part.text)) misread(frame.line, "arithmetic that can't be read")
      return
    case "ProcessSubstitution":
      if (standing !== "bare") misread(frame.line, "a process substitution inside a pattern")
      return inScript(part.script, frame, place, part.operator === ">" ? unknownInput : noInput)
    case "Glob":
      for (const child of part.parts ?? []) inPart(child, frame, place, standing)
      return
    case "ExtendedGlob":
    case "BraceExpansion":
      if (part.parts === undefined) return checkLiteral(frame, part.text, "operand")
      for (const child of part.parts) inPart(child, frame, place, "operand")
      return
  }
}

// Brace expansion comes first and takes the inner quotes of "`a "{b,c}"`" for the end of the outer ones.
const checkBraces = (part: WordPart, frame: Frame): void => {
  const nests = part.type === "ParameterExpansion" || (part.type === "CommandExpansion" && part.text.startsWith("`"))
  if (nests && part.text.includes("\"") && mayExpand(part.text.slice(2))) {
    misread(frame.line, "braces inside nested quotes")
  }
}

/**
 * Reads whatever a word would start.
 *
 * @category finding
 * @since 0.1.0
 */
export const inWord = (word: Word, frame: Frame, place: Place, standing: Standing): void => {
  frame.words?.push([word.pos, word.end])
  if (word.parts === undefined) return checkLiteral(frame, word.text, standing)
  for (const part of word.parts) inPart(part, frame, place, standing)
}

/**
 * Reads whatever an arithmetic expression would start.
 *
 * **Gotchas**
 *
 * Arithmetic evaluates the values of variables once more, subscripts and the
 * substitutions in them included, so that anything but a number may run what
 * quotes protected before.
 *
 * @category finding
 * @since 0.1.0
 */
export const inArithmetic = (expression: ArithmeticExpression, frame: Frame, place: Place): void => {
  switch (expression.type) {
    case "ArithmeticBinary":
      noteArithmetic(frame, expression.left, expression.operator)
      inArithmetic(expression.left, frame, place)
      return inArithmetic(expression.right, frame, place)
    case "ArithmeticUnary":
      noteArithmetic(frame, expression.operand, expression.operator)
      return inArithmetic(expression.operand, frame, place)
    case "ArithmeticTernary":
      inArithmetic(expression.test, frame, place)
      inArithmetic(expression.consequent, frame, place)
      return inArithmetic(expression.alternate, frame, place)
    case "ArithmeticGroup":
      return inArithmetic(expression.expression, frame, place)
    case "ArithmeticCommandExpansion":
      frame.line.evaluates = true
      frame.line.computesUnknown = true
      return inScript(expression.script, frame, place, noInput)
    case "ArithmeticWord":
      if (!/^\s*\d*\s*$/.test(expression.value)) noteComputed(frame, expression.parts, expression.value)
      if (expression.parts === undefined) return checkLiteral(frame, expression.value, "arithmetic")
      for (const part of expression.parts) inPart(part, frame, place, "arithmetic")
      return
  }
}

/**
 * Reads whatever the subscript of an array would start; it is arithmetic.
 *
 * @category finding
 * @since 0.1.0
 */
export const inSubscript = (word: Word, frame: Frame, place: Place): void => {
  for (const part of word.parts ?? [word]) {
    if ((part.type === "Literal" || part.type === "Word") && odd.test(part.text.replace(/\\[\s\S]/g, ""))) {
      misread(frame.line, "an unusual subscript")
    }
  }
  if (!/^\s*(?:\d*|[@*])\s*$/.test(word.text)) noteComputed(frame, word.parts, word.text)
  inWord(word, frame, place, "arithmetic")
}

const odd = /[()<>;&|[\]{}]/

const inScript = (script: ParsedScript | undefined, frame: Frame, place: Place, input: Input): void => {
  if (script === undefined) return misread(frame.line, "a substitution that can't be read")
  frame.nested(script, frame, place, input)
}

const inParameter = (part: ParameterExpansionPart, frame: Frame, place: Place): void => {
  const operation = part.operation
  // Bash looks for the end of `${x:-$$(a)}` as if `$(` began there, and then expands `$$`.
  if (/\$\$[({['"`]/.test(part.text)) misread(frame.line, "an unusual parameter expansion")
  // The name that `${!x}` holds may be `a[$(…)]`, and `${x@P}` expands the value as a prompt.
  const lists = operation?.type === "Names" || /^\s*[@*]\s*$/.test(part.index?.text ?? "")
  if (part.prefix === "!" && !lists) noteReferred(frame, part.parameter)
  if (part.index !== undefined) inSubscript(part.index, frame, place)
  if (operation === undefined) return
  switch (operation.type) {
    case "Default":
      if (operation.operator.endsWith("=")) {
        noteValue(frame, part.parameter, operation.operand)
        noteAssigned(frame, `${part.prefix ?? ""}${part.parameter}`, part.text, literal(operation.operand))
      }
      return inWord(operation.operand, frame, place, "operand")
    case "Remove":
      return inWord(operation.operand, frame, place, "operand")
    case "CaseModification":
      if (operation.operand !== undefined) inWord(operation.operand, frame, place, "operand")
      return
    case "Replace":
      inWord(operation.pattern, frame, place, "operand")
      return inWord(operation.replacement, frame, place, "operand")
    case "Slice":
      inSubscript(operation.offset, frame, place)
      if (operation.length !== undefined) inSubscript(operation.length, frame, place)
      return
    case "Transform":
      if (!/^[QEAaUuLKk]$/.test(operation.operand.text)) misread(frame.line, "an unusual parameter expansion")
      return inWord(operation.operand, frame, place, "operand")
    case "Names":
      return
    case "Unknown":
      return misread(frame.line, "an unusual parameter expansion")
  }
}
