/**
 * Which commands may go on in the background when their time is up.
 *
 * @since 0.1.0
 */
import { parse } from "unbash"

/**
 * Whether a command that nobody asked to run in the background may do so at its
 * time limit. One that only waits is of no use there, one that has to do with
 * git would hold locks in the way of what follows, and of one that can't be read
 * nobody knows what it is.
 *
 * **Example** (A build goes on, a wait does not)
 *
 * ```ts
 * import { mayGoOn } from "toolgate/tools/mayGoOn"
 *
 * mayGoOn("npm run build") // => true
 * mayGoOn("sleep 1000") // => false
 * mayGoOn("cd x && git fetch") // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayGoOn = (command: string): boolean =>
  !/^\s*sleep\b/.test(command) && !/\bgit\b/.test(command) && (parse(command).errors ?? []).length === 0
