/**
 * Fetching of managed settings that is loaded once it is needed, since few
 * machines do.
 *
 * @since 0.1.0
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Effect from "effect/Effect"
import type { FetchManaged } from "./ManagedCopy.ts"

/**
 * Makes a way to fetch managed settings that costs nothing before its first use.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fetchManagedLater = (stateDirectory: string): FetchManaged => {
  let loading: Promise<FetchManaged> | undefined
  const load = async (): Promise<FetchManaged> => {
    const [client, { makeFetchManaged }] = await Promise.all([
      import("effect/http/FetchHttpClient"),
      import("./fetchManaged.ts")
    ])
    return Effect.runPromise(
      makeFetchManaged({ stateDirectory }).pipe(Effect.provide([NodeFileSystem.layer, NodePath.layer, client.layer]))
    )
  }
  return (address, refreshMinutes) =>
    Effect.flatMap(Effect.promise(() => loading ??= load()), (fetch) => fetch(address, refreshMinutes))
}
