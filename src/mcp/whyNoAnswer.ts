/**
 * Says in one sentence what was wrong with an answer of a server.
 *
 * @since 0.1.0
 */
import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/**
 * What a request failed with: the server's own words, or of an answer that is
 * none of the protocol's, where and how it is not.
 *
 * @category formatting
 * @since 0.1.0
 */
export const whyNoAnswer = (cause: unknown): string => {
  const said = cause instanceof Error ? cause.message.trim() : ""
  if (said === "") return "it did not say why"
  if (!(cause instanceof SdkError) || cause.code !== SdkErrorCode.InvalidResult) return said
  // The library tells of it in a text, which holds what its validator found as JSON.
  const [, method = "", found = said] = /^Invalid result for (\S+): (.*)$/s.exec(said) ?? []
  return `its answer to \`${method}\` can't be read: ${issuesIn(found) ?? found.replace(/\s+/g, " ")}`
}

const mostIssues = 3

const issuesIn = (text: string): string | undefined => {
  const issues = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  if (!Array.isArray(issues) || issues.length === 0) return undefined
  const told = issues.slice(0, mostIssues).map(issueText)
  return `${told.join("; ")}${issues.length > mostIssues ? `; and ${issues.length - mostIssues} more` : ""}`
}

const issueText = (issue: unknown): string => {
  const path = Predicate.hasProperty(issue, "path") && Array.isArray(issue.path) ? issue.path.join(".") : ""
  const message = Predicate.hasProperty(issue, "message") ? String(issue.message) : ""
  const what = message.replace(/^Invalid input(?:: )?/, "") || "none of the forms that the protocol has"
  return path === "" ? what : `\`${path}\`: ${what}`
}
