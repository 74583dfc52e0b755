/**
 * Where settings are looked for, and what a command line adds to them.
 *
 * @since 0.1.0
 */
import type { PermissionMode } from "../../domain/CallContext.ts"
import type { Platform } from "../../domain/Place.ts"
import type { FetchManaged } from "./ManagedCopy.ts"
import type { Settings } from "./Settings.ts"

/**
 * Options of the layer that reads settings.
 *
 * **Details**
 *
 * - `home`: the user's home directory, absolute.
 * - `managedRoot`: the folder of managed settings, when not the platform's own.
 * - `configDirectory`: the user's settings folder, when not `.claude` in `home`.
 * - `flagSettings`: a path, or the settings themselves as JSON.
 * - `allowedTools`, `disallowedTools`: rules of the command line, split already.
 * - `commandRules`: allow rules for the turn, from the command that started it.
 * - `command`: what the command file of the turn says, see `readCommandFile`.
 * - `fetchManaged`: fetches managed settings that a server keeps, see
 *   `makeFetchManaged`; left out, such settings count as unreadable.
 * - `mode`: the mode of the command line, over every mode that settings name.
 * - `graceMillis`: how long a prompt waits for a pending classifier.
 * - `maxResultSizeChars`: by the name of a tool, how long a result may be, where no
 *   settings say otherwise.
 * - `knownTools`: the application's own tools, so that rules may name them.
 *
 * @category options
 * @since 0.1.0
 */
export interface SettingsOptions {
  readonly home: string
  readonly platform: Platform
  readonly managedRoot?: string | undefined
  readonly configDirectory?: string | undefined
  readonly flagSettings?: string | undefined
  readonly allowedTools?: ReadonlyArray<string> | undefined
  readonly disallowedTools?: ReadonlyArray<string> | undefined
  readonly commandRules?: ReadonlyArray<string> | undefined
  readonly command?: Settings | undefined
  readonly fetchManaged?: FetchManaged | undefined
  readonly mode?: PermissionMode | undefined
  readonly graceMillis?: number | undefined
  readonly maxResultSizeChars?: { readonly [tool: string]: number } | undefined
  readonly knownTools?: ReadonlySet<string> | undefined
}
