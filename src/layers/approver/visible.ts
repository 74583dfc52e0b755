/**
 * Makes text safe to show to a person who has to decide about it: what a
 * terminal would act upon, hide or reorder is spelled out.
 *
 * @since 0.1.0
 */

/**
 * Spells out every character that a terminal acts upon or that can't be seen.
 *
 * **Details**
 *
 * Control characters, escape sequences, carriage returns and tabs, marks that
 * turn the reading direction, characters without width, spaces other than the
 * plain one, line separators, private and unassigned characters, and halves of
 * surrogate pairs. Newlines stay: whoever shows the text marks its lines.
 *
 * **Example** (A carriage return that would cover the line)
 *
 * ```ts
 * import { visible } from "toolgate/layers/approver/visible"
 *
 * visible("npm publish #\recho harmless") // => "npm publish #<CR>echo harmless"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const visible = (text: string): string =>
  plain.test(text)
    ? text
    : text
      // Everything that is control, format, surrogate, private, unassigned, a separator or ignored by renderers, but for
      // the newline and the plain space.
      .replace(/[^\P{C}\n]|[^\P{Z} ]|[\p{Default_Ignorable_Code_Point}\u2800]/gu, spelled)
      // One letter may carry a few marks; a tower of them would cover the lines around it.
      .replace(/(?<=\p{M}{4})\p{M}+/gu, spelledAll)

// Most texts; and what classes of characters hold takes long to look up, even for an expression that is only made.
const plain = /^[\n -~]*$/

const names: { readonly [codePoint: number]: string } = {
  0x00: "NUL",
  0x07: "BEL",
  0x08: "BS",
  0x09: "TAB",
  0x0b: "VT",
  0x0c: "FF",
  0x0d: "CR",
  0x1b: "ESC",
  0x7f: "DEL"
}

const spelled = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  return `<${names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`}>`
}

const spelledAll = (characters: string): string => Array.from(characters, spelled).join("")
