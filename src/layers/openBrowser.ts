/**
 * Shows a page in the browser of whoever sits at this machine.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

/**
 * Opens an address in the user's browser. Nothing happens where there is none:
 * whoever calls this shows the address as well.
 *
 * @category opening
 * @since 0.1.0
 */
export const openBrowser = (url: string): Effect.Effect<void> =>
  Effect.ignore(Effect.tryPromise(() => import("open").then(({ default: open }) => open(url))))
