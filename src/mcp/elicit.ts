/**
 * Passes a server's question on to the person.
 *
 * @since 0.1.0
 */
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Elicitation, ElicitationField } from "../domain/Elicitation.ts"
import type { Approver } from "../services/Approver.ts"

/**
 * Asks the person what a server wants to know. Where nobody can be asked, or the
 * form can't be understood, the server hears that they declined.
 *
 * @category asking
 * @since 0.1.0
 */
export const elicit = (
  approver: Approver["Service"],
  about: Pick<Elicitation, "context" | "id" | "server" | "tool">,
  params: ElicitRequestParams
): Effect.Effect<ElicitResult> => {
  const asks = asksOf(params)
  if (approver.elicit === undefined || asks === undefined) return Effect.succeed({ action: "decline" })
  return Effect.map(approver.elicit({ ...about, message: params.message, asks }), (answer): ElicitResult => {
    if (answer._tag !== "Given") return { action: "decline" }
    return asks._tag === "Address"
      ? { action: "accept" }
      : {
        action: "accept",
        content: Object.fromEntries(
          Object.entries(answer.values).map(([name, value]) => [name, typeof value === "object" ? [...value] : value])
        )
      }
  })
}

const asksOf = (params: ElicitRequestParams): Elicitation["asks"] | undefined => {
  if ("url" in params) return isWeb(params.url) ? { _tag: "Address", url: params.url } : undefined
  const { properties, required = [] } = params.requestedSchema
  const fields = Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name)))
  return fields.every((field) => field !== undefined) ? { _tag: "Form", fields } : undefined
}

const isWeb = (url: string): boolean => ["https:", "http:"].includes(URL.parse(url)?.protocol ?? "")

const fieldOf = (name: string, schema: unknown, required: boolean): ElicitationField | undefined => {
  if (!Predicate.isObject(schema)) return undefined
  const { description, items, title, type } = schema
  const options = optionsOf(schema) ?? (Predicate.isObject(items) ? optionsOf(items) : undefined) ?? []
  const kind = type === "array" ? "choices" : options.length > 0 ? "choice" : kinds.get(type)
  if (kind === undefined || kind === "choices" && options.length === 0) return undefined
  return {
    name,
    title: typeof title === "string" ? title : name,
    required,
    kind,
    options,
    ...(typeof description === "string" ? { description } : {})
  }
}

const kinds: ReadonlyMap<unknown, ElicitationField["kind"]> = new Map([
  ["string", "text"],
  ["number", "number"],
  ["integer", "integer"],
  ["boolean", "boolean"]
])

/** A choice is written in three ways: bare, with names beside, or each with its title. */
const optionsOf = (
  schema: { readonly [key: string]: unknown }
): ElicitationField["options"] | undefined => {
  const titled = schema["oneOf"] ?? schema["anyOf"]
  if (Array.isArray(titled)) {
    return titled.flatMap((one: unknown) =>
      Predicate.isObject(one) && typeof one["const"] === "string"
        ? [{ value: one["const"], title: typeof one["title"] === "string" ? one["title"] : one["const"] }]
        : []
    )
  }
  const { enum: values, enumNames: names } = schema
  return Array.isArray(values)
    ? values.filter((value) => typeof value === "string").map((value, index) => {
      const title: unknown = Array.isArray(names) ? names[index] : undefined
      return { value, title: typeof title === "string" ? title : value }
    })
    : undefined
}
