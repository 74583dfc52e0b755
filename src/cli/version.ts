/**
 * The version of this program.
 *
 * @since 0.1.0
 */
import { readFileSync } from "node:fs"

// Both `src` and `dist` lie beside the package's own description, which a release rewrites.
const description: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
)

/**
 * The version that `--version` names, the one of the package.
 *
 * @category constants
 * @since 0.1.0
 */
export const version = description.version
