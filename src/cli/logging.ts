/**
 * What the program logs, and where.
 *
 * @since 0.1.0
 */
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"

/**
 * Layer that logs to standard error when `TOOLGATE_DEBUG` is set, and else
 * nowhere: standard output belongs to results, and stack traces to those who
 * look for them.
 *
 * @category layers
 * @since 0.1.0
 */
export const logging: Layer.Layer<never> = Logger.layer(
  (process.env["TOOLGATE_DEBUG"] ?? "") === "" ? [] : [Logger.withConsoleError(Logger.formatLogFmt)]
)
