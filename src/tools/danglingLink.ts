/**
 * A link on the way of a path that leads to nothing.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { lstat, readlink, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { fileStep } from "./fileStep.ts"
import { quoted } from "./quoted.ts"

/**
 * Says of a path that does not exist which link is to blame, `shown` for the path
 * itself; nothing when none is.
 *
 * @category searching
 * @since 0.1.0
 */
export const danglingLink = Effect.fnUntraced(function*(
  path: string,
  shown: string
): Effect.fn.Return<string | undefined> {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const link = yield* Effect.option(fileStep(() => readlink(at)))
    if (link._tag === "Some") {
      const leads = (yield* Effect.option(fileStep(() => stat(at))))._tag === "Some"
      const where = at === path ? shown : at
      return leads
        ? undefined
        : `${quoted(where)} is a link to ${quoted(link.value)}, which does not exist; ` +
          "make what it leads to, or give another path"
    }
    if ((yield* Effect.option(fileStep(() => lstat(at))))._tag === "Some") return undefined
  }
  return undefined
})
