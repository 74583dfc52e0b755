/** Other gates, measured beside ours where they are there: `npm ci --prefix bench/peers` brings them. */
import { existsSync } from "node:fs"
import type { Group } from "./Group.ts"

export const installed = existsSync(new URL("peers/node_modules", import.meta.url))

export interface Deciders {
  readonly deciding: (rules: number) => Promise<Group["tasks"]>
  readonly reading: (line: (nth: number) => string) => Promise<Group["tasks"]>
}

export interface Callers {
  readonly tasks: Group["tasks"]
  readonly marginal: NonNullable<Group["marginal"]>
}

// By names that are put together, so that this package is compiled without the other one.
const load = async (name: string): Promise<unknown> =>
  installed ? await import(new URL(`peers/${name}.ts`, import.meta.url).href) : undefined

// Those modules say that they are such.
export const deciders = async (): Promise<Deciders | undefined> => await load("decide") as Deciders | undefined

export const callers = async (): Promise<Callers | undefined> => await load("call") as Callers | undefined
