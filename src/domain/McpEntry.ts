/**
 * MCP servers as somebody configured them, before any is connected to.
 *
 * @since 0.1.0
 */
import type { Diagnostic, Origin } from "./Rule.ts"

/**
 * One configured server.
 *
 * **Details**
 *
 * - `brought`: it came with the folder, and counts as it was when that was
 *   trusted.
 * - `written`: its configuration as it stands in the file.
 * - `config`: the same with variables expanded.
 * - `refused`: why it may not be used, and what to do about it.
 *
 * @category models
 * @since 0.1.0
 */
export interface McpEntry {
  readonly name: string
  readonly scope: McpScope
  readonly origin: Origin
  readonly brought: boolean
  readonly written: unknown
  readonly config: unknown
  readonly refused?: McpRefusal
}

/**
 * Who configured a server: managed settings, the command line, the user for one
 * project, the project's repository, or the user for all projects.
 *
 * @category models
 * @since 0.1.0
 */
export type McpScope = "managed" | "flag" | "local" | "project" | "user"

/**
 * Why a server may not be used.
 *
 * **Details**
 *
 * - `disabled`: somebody switched it off.
 * - `untrusted`: it came with a repository that nobody trusts.
 * - `unseen`: it came with a trusted one, but was not shown when that was trusted;
 *   `changed`: it was, and is another now.
 * - `unapproved`: it came with a trusted one, and nobody approved it.
 * - `forbidden`: managed or other settings don't allow it.
 * - `broken`: its configuration can't be used.
 *
 * @category models
 * @since 0.1.0
 */
export interface McpRefusal {
  readonly because: "disabled" | "untrusted" | "unseen" | "changed" | "unapproved" | "forbidden" | "broken"
  readonly why: string
}

/**
 * Every configured server, those that may not be used included, and what is
 * wrong with the files themselves.
 *
 * @category models
 * @since 0.1.0
 */
export interface McpConfiguration {
  readonly entries: ReadonlyArray<McpEntry>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}
