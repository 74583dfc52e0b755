/**
 * Follows a path the way a kernel does, link by link, and keeps what does not
 * exist.
 *
 * @since 0.1.0
 */
import type { ResolvedPath } from "../../domain/ResolvedPath.ts"

/**
 * What is found under a name, links not followed.
 *
 * @category models
 * @since 0.1.0
 */
export type Found =
  | { readonly _tag: "Directory" | "File" | "Other" | "Missing" }
  | { readonly _tag: "Link"; readonly target: string }
  | { readonly _tag: "Refused"; readonly reason: string }

/**
 * Follows an absolute path with a way to look at one name at a time.
 *
 * **Details**
 *
 * `..` means two things: by name, and for a kernel the folder above what the
 * part before it leads to. Where the two differ both are given, since a tool
 * may open either.
 *
 * @category resolving
 * @since 0.1.0
 */
export const followPath = (path: string, look: (path: string) => Found): ResolvedPath => {
  if (path.includes("\0")) {
    return { written: path, real: [], kind: "missing", problem: "has a NUL character, which no path can hold" }
  }
  const asked = path.split("/").filter((part) => part !== "" && part !== ".")
  const named = byName(asked)
  const written = join(named)
  if (streams.has(written)) return { written, real: [], kind: "other" }

  const plain = walk(named, look)
  const literal = asked.includes("..") ? walk(asked, look) : plain
  const problem = literal.problem ?? plain.problem
  return {
    written,
    real: [...new Set([literal.path, plain.path])].filter((real) => real !== written),
    kind: literal.kind === "missing" ? plain.kind : literal.kind,
    ...(problem === undefined ? {} : { problem })
  }
}

// What these lead to was opened by whoever started the process, and judged there.
const streams: ReadonlySet<string> = new Set(["/dev/stdin", "/dev/stdout", "/dev/stderr"])

const byName = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept: Array<string> = []
  for (const part of parts) {
    if (part === "..") kept.pop()
    else kept.push(part)
  }
  return kept
}

const join = (parts: ReadonlyArray<string>): string => `/${parts.join("/")}`

interface Walked {
  readonly path: string
  readonly kind: ResolvedPath["kind"]
  readonly problem: string | undefined
}

const mostLinks = 40

const walk = (parts: ReadonlyArray<string>, look: (path: string) => Found): Walked => {
  const rest = [...parts].reverse()
  const here: Array<string> = []
  let kind: ResolvedPath["kind"] = "directory"
  let links = 0
  let problem: string | undefined

  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === "..") {
      here.pop()
      kind = "directory"
      continue
    }
    here.push(part)
    const found = look(join(here))
    switch (found._tag) {
      case "Link": {
        if (++links > mostLinks) {
          return { path: join(parts), kind: "missing", problem: "is a loop of links" }
        }
        if (magic.test(join(here))) problem = "leads through a link of /proc that differs from process to process"
        here.pop()
        const target = found.target.split("/").filter((step) => step !== "" && step !== ".")
        if (found.target.startsWith("/")) here.length = 0
        rest.push(...target.reverse())
        kind = "directory"
        break
      }
      case "Directory":
        kind = "directory"
        break
      case "File":
      case "Other":
      case "Missing": {
        kind = found._tag === "File" ? "file" : found._tag === "Other" ? "other" : "missing"
        // Nothing can be below what is no folder; the names are kept for whoever judges them.
        if (rest.length > 0) {
          return { path: join(byName([...here, ...rest.reverse()])), kind: "missing", problem }
        }
        break
      }
      case "Refused":
        return { path: join(byName([...here, ...rest.reverse()])), kind: "other", problem: found.reason }
    }
  }
  return { path: join(here), kind, problem }
}

const magic = /^\/proc\/(?:[0-9]+|self|thread-self)(?:\/task\/[0-9]+)?\/(?:root|cwd|exe|fd\/|map_files\/)/
