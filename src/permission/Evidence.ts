/**
 * What a decision is made from. All of it is data that somebody gathered before:
 * deciding reads no file and asks nobody.
 *
 * @since 0.1.0
 */
import type { PermissionMode } from "../domain/CallContext.ts"
import type { HookOutcome } from "../domain/Hook.ts"
import type { Place } from "../domain/Place.ts"
import type { Policy } from "../domain/Policy.ts"
import type { ReadOnly } from "../domain/ReadOnly.ts"
import type { ResolvedPath } from "../domain/ResolvedPath.ts"
import type { SimpleCommand, Word } from "../domain/ShellCommand.ts"
import type { Opinion } from "../domain/Tool.ts"
import type { Demand } from "./Demand.ts"

/**
 * Every path below a folder.
 *
 * @category models
 * @since 0.1.0
 */
export type Below = ReadonlyArray<string>

/**
 * What is known about one input: the one that will run, or the one that a hook
 * rewrote.
 *
 * @category models
 * @since 0.1.0
 */
export interface Side {
  readonly input: { readonly [key: string]: unknown }
  readonly ask: string | undefined
  readonly opinion: Opinion
  readonly demands: ReadonlyArray<Demand>
}

/**
 * The evidence for one decision.
 *
 * **Details**
 *
 * - `server` is the MCP server that the tool comes from.
 * - `effective` will run; `original` is there when a hook changed it.
 * - `resolved` has every path that a demand names, followed through links.
 * - `below` has what lies below the folders that a command would walk through,
 *   where that could be listed.
 * - `expanded` has, for each glob, the paths that it may stand for right now.
 * - `readOnly` is the built-in analysis of commands.
 *
 * @category models
 * @since 0.1.0
 */
export interface Evidence {
  readonly tool: string
  readonly server?: string | undefined
  readonly needsPerson: boolean
  readonly hook: HookOutcome
  readonly mode: PermissionMode
  readonly policy: Policy
  readonly place: Place
  readonly effective: Side
  readonly original: Side | undefined
  readonly resolved: ReadonlyMap<string, ResolvedPath>
  readonly expanded: ReadonlyMap<Word, ReadonlyArray<string>>
  readonly below: ReadonlyMap<string, Below>
  readonly readOnly: (command: SimpleCommand) => ReadOnly
}
