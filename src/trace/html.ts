/**
 * HTML that can't be broken out of: whatever is put into it is text, unless it is
 * HTML made here.
 *
 * @since 0.1.0
 */
import { visible } from "../layers/approver/visible.ts"

/**
 * A piece of HTML. Only `html` makes it, so that a text can't be mistaken for it.
 *
 * @category models
 * @since 0.1.0
 */
export class Html {
  readonly markup: string
  private constructor(markup: string) {
    this.markup = markup
  }
  /** @internal */
  static readonly from = (markup: string): Html => new Html(markup)
}

/**
 * Makes HTML of a template. Texts in it are escaped, and what could not be seen
 * in them, or would turn the reading direction, is spelled out.
 *
 * **Example** (A text that would like to be more)
 *
 * ```ts
 * import { html } from "toolgate/trace/html"
 *
 * html`<p>${"<b>\u202E"}</p>`.markup // => "<p>&lt;b&gt;&lt;U+202E&gt;</p>"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const html = (
  pieces: TemplateStringsArray,
  ...values: ReadonlyArray<string | number | Html | ReadonlyArray<Html>>
): Html =>
  Html.from(pieces.slice(1).reduce((sum, piece, index) => sum + markupOf(values[index] ?? "") + piece, pieces[0] ?? ""))

/**
 * No HTML at all.
 *
 * @category constants
 * @since 0.1.0
 */
export const nothing: Html = Html.from("")

const markupOf = (value: string | number | Html | ReadonlyArray<Html>): string => {
  if (value instanceof Html) return value.markup
  if (typeof value === "object") return value.map(({ markup }) => markup).join("")
  return escaped(String(value))
}

/** Tabs stay, they mean something in what a tool prints. */
const escaped = (text: string): string =>
  text.replaceAll("\r\n", "\n").split("\t").map(visible).join("\t")
    .replace(/[&<>"']/g, (character) => entities[character] ?? "")

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}
