/**
 * Every program that may be known to only look, by name.
 *
 * @since 0.1.0
 */
import type { Programs } from "../Program.ts"
import { archives } from "./archives.ts"
import { builtins } from "./builtins.ts"
import { containers } from "./containers.ts"
import { coreutils } from "./coreutils.ts"
import { git } from "./git.ts"
import { github } from "./github.ts"
import { packages } from "./packages.ts"
import { scripts } from "./scripts.ts"
import { search } from "./search.ts"
import { system } from "./system.ts"
import { text } from "./text.ts"

/**
 * All groups together.
 *
 * @category data
 * @since 0.1.0
 */
export const lookers: Programs = {
  ...archives,
  ...builtins,
  ...containers,
  ...coreutils,
  ...git,
  ...github,
  ...packages,
  ...scripts,
  ...search,
  ...system,
  ...text
}
