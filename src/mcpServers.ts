/**
 * MCP servers, wired for a machine. Everything that is about them hangs on this
 * module alone, so that whoever calls none of their tools loads none of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type * as Scope from "effect/Scope"
import * as ShortLooks from "./layers/files/shortLooks.ts"
import * as McpApprovalsLayers from "./layers/McpApprovals.ts"
import * as McpConfigLayers from "./layers/McpConfig.ts"
import { makeServers, type Servers, type ServersOptions } from "./mcp/makeServers.ts"
import type { Approver } from "./services/Approver.ts"
import type { RuleSources } from "./services/RuleSources.ts"
import type { Trust } from "./services/Trust.ts"

/**
 * Makes the servers that the machine's files configure.
 *
 * @category constructors
 * @since 0.1.0
 */
export const mcpServers = (
  options: ServersOptions & McpConfigLayers.McpConfigOptions
): Effect.Effect<
  Servers,
  never,
  Approver | FileSystem.FileSystem | Path.Path | RuleSources | Scope.Scope | Trust
> =>
  Effect.flatMap(
    Layer.build(
      Layer.merge(McpApprovalsLayers.layerFiles(options.stateDirectory), McpConfigLayers.layerFiles(options)).pipe(
        Layer.provide(ShortLooks.layer)
      )
    ),
    (context) => Effect.provideContext(makeServers(options), context)
  )
