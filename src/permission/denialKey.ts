/**
 * Under which key denials of a call are counted.
 *
 * @since 0.1.0
 */
import type { Evidence } from "./Evidence.ts"

/**
 * Returns the tool and the first words of its command, those that a suggested
 * rule would have: `Bash git push`, `Write`, `mcp__notes__list`.
 *
 * @category getters
 * @since 0.1.0
 */
export const denialKey = ({ effective, tool }: Pick<Evidence, "effective" | "tool">): string => {
  const first = effective.demands.find((demand) => demand._tag === "Command")
  if (first?._tag !== "Command") return tool
  const words = first.command.words.slice(0, 2).map(({ value }) => value ?? "?").filter((word, at) =>
    at === 0 || /^[a-z][\w:-]*$/i.test(word)
  )
  return [tool, ...words].join(" ").slice(0, 100)
}
