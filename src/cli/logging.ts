/**
 * What the program logs, and where.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"

/**
 * Layer that logs to standard error when `TOOLGATE_DEBUG` is set, and else
 * nowhere: standard output belongs to results, and stack traces to those who
 * look for them.
 *
 * @category layers
 * @since 0.1.0
 */
export const logging: Layer.Layer<never> = (process.env["TOOLGATE_DEBUG"] ?? "") === ""
  ? Logger.layer([])
  : Layer.merge(
    Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]),
    // The causes of our own faults are told at this level alone.
    Layer.succeed(References.MinimumLogLevel, "Debug")
  )
