/**
 * How to trust a folder, in words.
 *
 * @since 0.1.0
 */
import { shellWord } from "./shellWord.ts"

/**
 * Says which command trusts a folder, as a shell would take it.
 *
 * **Example** (Telling how to trust a folder)
 *
 * ```ts
 * import { trustHint } from "toolgate/layers/settings/trustHint"
 *
 * trustHint("/my work") // => "run `toolgate trust '/my work'` to trust it"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const trustHint = (directory: string): string => `run \`toolgate trust ${shellWord(directory)}\` to trust it`
