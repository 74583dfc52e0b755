/**
 * Situations in which less is going on, for laws that are about something else.
 *
 * @since 0.1.0
 */
import type { Situation } from "../Situation.ts"

/**
 * Returns the situation without a hook's allow, which goes before everything
 * else, and without a classifier.
 *
 * @category filtering
 * @since 0.1.0
 */
export const withoutAllowance = (situation: Situation): Situation => ({
  ...situation,
  hook: situation.hook === "allow" ? "none" : situation.hook,
  classifier: "none"
})

/**
 * Returns the situation in a mode that permits nothing by itself and denies
 * nothing by itself: the one it has, or else the default mode.
 *
 * @category filtering
 * @since 0.1.0
 */
export const inModestMode = (situation: Situation): Situation => ({
  ...situation,
  mode: situation.mode === "bypassPermissions" || situation.mode === "dontAsk" ? "default" : situation.mode
})

/**
 * Returns the situation with another line to run.
 *
 * @category combining
 * @since 0.1.0
 */
export const running = (situation: Situation, command: string): Situation => ({
  ...situation,
  tool: "Bash",
  input: { command }
})
