/**
 * What a text must not hold where the parser says it is plain. The parser is
 * right about almost every line; these are the places where it is known to be
 * silently wrong, so that a command could hide.
 *
 * @since 0.1.0
 */
import type { Frame } from "./Line.ts"
import { misread } from "./Line.ts"

/**
 * Characters that a person doesn't see and the shell does: control characters
 * other than tab and newline, line separators, byte-order marks.
 *
 * @category texts
 * @since 0.1.0
 */
export const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/

/**
 * Characters without which a line can't have any of what the guards look for.
 *
 * @category texts
 * @since 0.1.0
 */
export const telling = /[()<>$`\\{}[\]'"*?~!=#]/

/**
 * Where a literal stands, which decides what it may hold.
 *
 * @category models
 * @since 0.1.0
 */
export type Standing = "bare" | "quoted" | "arithmetic" | "operand"

const escaped = /\\[\s\S]/g
const bare = /[()<>&|;\s`"']|\$[A-Za-z0-9_@*#?$!({['"-]/
const quoted = /`|\$[A-Za-z0-9_@*#?$!({-]/
const arithmetic = /[`'"]|\$[({]/
const operand = /`|\$[({]|[<>]\(/

/**
 * Refuses a literal that holds what the shell would not take literally, such
 * as `2>(rm x)`, which the parser gives as one plain word.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkLiteral = (frame: Frame, text: string, standing: Standing): void => {
  if (frame.plain) return
  const seen = text.includes("\\") ? text.replace(escaped, "%") : text
  if (standing === "bare" && bare.test(seen)) misread(frame.line, "an operator inside a word")
  else if (standing === "quoted" && quoted.test(seen)) misread(frame.line, "an expansion inside quoted text")
  else if (standing === "arithmetic" && arithmetic.test(seen)) misread(frame.line, "a quote inside arithmetic")
  else if (standing === "operand" && operand.test(seen)) misread(frame.line, "an expansion inside a pattern")
}

const code = /`|\$(?:[({[]|$)/

/**
 * Notes quoted text that would run should something evaluate it: quotes don't
 * protect what arithmetic, `[[ -v ]]` and their like are given.
 *
 * @category guards
 * @since 0.1.0
 */
export const noteQuoted = (frame: Frame, text: string): void => {
  if (code.test(text)) frame.line.quotedCode = true
}

/**
 * Refuses anything but blanks between two pieces of a command: the parser
 * drops a stray `(` without a word.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkBetween = (frame: Frame, from: number, to: number): void => {
  for (let at = from; at < to; at++) {
    const unit = frame.source.charCodeAt(at)
    if (unit === 32 || unit === 9) continue
    if (unit === 92 && frame.source.charCodeAt(at + 1) === 10) at++
    else return misread(frame.line, "text that belongs to no word")
  }
}
