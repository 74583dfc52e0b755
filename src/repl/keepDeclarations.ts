/**
 * Code as a session runs it, so that what it declares can be declared again.
 *
 * @since 0.1.0
 */
import { parse, parseExpressionAt } from "acorn"

/**
 * Makes top-level `let`, `const` and `class` declarations into `var`
 * declarations, which stay with the session and may be made anew. Code that is
 * nothing but an object is read as that, not as a block.
 *
 * **Details**
 *
 * Rows and columns stay as they were, but for what follows a class on its line.
 * Code that can't be parsed stays as it is: whoever runs it says what is wrong.
 *
 * **Example** (A constant that may be written again)
 *
 * ```ts
 * import { keepDeclarations } from "toolgate/repl/keepDeclarations"
 *
 * keepDeclarations("const a = 1; { let b = 2 }") // => "var   a = 1; { let b = 2 }"
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const keepDeclarations = (code: string): string => {
  if (isObject(code)) return `(${code.trim()}\n)`
  try {
    const { body } = parse(code, { ecmaVersion: "latest", allowAwaitOutsideFunction: true })
    let kept = ""
    let at = 0
    const replace = (start: number, end: number, text: string): void => {
      kept += code.slice(at, start) + text
      at = end
    }
    for (const node of body) {
      if (node.type === "VariableDeclaration" && (node.kind === "let" || node.kind === "const")) {
        replace(node.start, node.start + node.kind.length, node.kind === "let" ? "var" : "var  ")
      } else if (node.type === "ClassDeclaration") {
        replace(node.start, node.start, `var ${node.id.name} = `)
        replace(node.end, node.end, ";")
      }
    }
    return kept + code.slice(at)
  } catch {
    return code
  }
}

const isObject = (code: string): boolean => {
  if (!/^\s*\{[^]*\}\s*$/.test(code)) return false
  try {
    const text = code.trim()
    const { end, type } = parseExpressionAt(text, 0, { ecmaVersion: "latest", allowAwaitOutsideFunction: true })
    return type === "ObjectExpression" && end === text.length
  } catch {
    return false
  }
}
