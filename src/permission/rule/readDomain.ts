/**
 * Reads what stands in the parentheses of a rule for `WebFetch`.
 *
 * @since 0.1.0
 */
import type { Reader } from "./Reader.ts"
import { loss, warning } from "./RuleProblem.ts"

/**
 * Reads `domain:host`. Where an address or a bare host was written instead, a
 * deny or ask rule takes the host that it names.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readDomain: Reader = (content, { behavior, offset, tool }) => {
  if (/^\*+$/.test(content.trim())) return { specifier: { _tag: "Any" }, problems: [] }
  const named = /^\s*domain\s*:/.exec(content)
  const written = content.slice(named?.[0].length ?? 0).trim()
  if (named !== null && /^\*+$/.test(written)) return { specifier: { _tag: "Any" }, problems: [] }
  if (named !== null && isHost(written)) return { specifier: { _tag: "Domain", pattern: written }, problems: [] }

  const host = written.replace(/^[A-Za-z*][A-Za-z0-9+.*-]*:\/\//, "").replace(/[/?#].*$/s, "").replace(/^.*@/s, "")
    .replace(/:[\d*]*$/, "")
  if (!isHost(host) || /^\*+$/.test(host)) {
    const message = `\`${shown(written)}\` is no host: a rule for \`${tool}\` reads \`domain:\` and a host`
    return { specifier: undefined, problems: [loss(behavior, message, offset)] }
  }
  const message = named === null
    ? `a rule for \`${tool}\` reads \`domain:\` and a host`
    : `\`${shown(written)}\` is more than a host, and only the host is compared`
  return {
    specifier: behavior === "allow" ? { _tag: "Inert", text: content } : { _tag: "Domain", pattern: host },
    problems: [warning(message, offset, `${tool}(domain:${host})`)]
  }
}

const isHost = (text: string): boolean => text.length > 0 && text.length < 1024 && !/[\s/\\?#@:()[\]]|\.\./.test(text)

const shown = (text: string): string => text.length > 60 ? `${text.slice(0, 60)}…` : text
