/**
 * Where the built command starts: with what was compiled before, if there is
 * any.
 *
 * @since 0.1.0
 */
import { useCompileCache } from "./compileCache.ts"

useCompileCache()
await import("./main.ts")
