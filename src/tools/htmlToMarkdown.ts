/**
 * Turns a web page into Markdown.
 *
 * @since 0.1.0
 */
import TurndownService from "turndown"

/**
 * Gives the text of a page, with headings, lists, links and code as Markdown.
 * Scripts, styles and what only frames something are left out.
 *
 * @category rendering
 * @since 0.1.0
 */
export const htmlToMarkdown = (html: string): string => {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" })
  service.remove(["script", "style", "noscript", "iframe", "template", "head", "title", "object"])
  service.remove((node) => node.nodeName === "svg" || node.nodeName === "SVG")
  service.addRule("pictures in the text itself", {
    filter: (node) => node.nodeName === "IMG" && (node.getAttribute("src") ?? "").startsWith("data:"),
    replacement: () => ""
  })
  return service.turndown(html).replace(/\n{3,}/g, "\n\n").trim()
}
