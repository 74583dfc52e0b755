/**
 * The official Anthropic client, which is loaded once it is wanted.
 *
 * @since 0.1.0
 */
import type { Anthropic } from "@anthropic-ai/sdk"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/**
 * What is used of the client.
 *
 * @category models
 * @since 0.1.0
 */
export type AnthropicClient = Pick<Anthropic, "messages" | "withOptions">

/**
 * Options of the client. What is left out it takes from the environment.
 *
 * @category options
 * @since 0.1.0
 */
export interface AnthropicClientOptions {
  readonly apiKey?: Redacted.Redacted | undefined
  readonly baseURL?: string | undefined
  readonly maxRetries?: number
}

/**
 * Makes a client. Fails with what the client says of the options, or with
 * `missing` where the package is not installed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const anthropicClient = <E>(
  { apiKey, baseURL, maxRetries }: AnthropicClientOptions,
  failed: { readonly missing: (why: string) => E; readonly refused: (cause: unknown) => E }
): Effect.Effect<AnthropicClient, E> =>
  Effect.tryPromise({
    try: () => import("@anthropic-ai/sdk"),
    catch: () => failed.missing("the package `@anthropic-ai/sdk` is not installed")
  }).pipe(
    Effect.flatMap(({ Anthropic }) =>
      Effect.try({
        try: () =>
          new Anthropic({
            logLevel: "off",
            ...(apiKey === undefined ? {} : { apiKey: Redacted.value(apiKey) }),
            ...(baseURL === undefined ? {} : { baseURL }),
            ...(maxRetries === undefined ? {} : { maxRetries })
          }),
        catch: failed.refused
      })
    )
  )
