/**
 * Measures the groups that are named on the command line, or all, prints one table and writes it as JSON to
 * `build/bench.json`. With `--hold` it fails where a row costs more processor time than `limits.ts` lets it.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { alternate, type Measured } from "./alternate.ts"
import type { Group, Told } from "./Group.ts"
import { limits } from "./limits.ts"
import { installed } from "./peers.ts"

const files: {
  readonly [name: string]: () => Promise<{ readonly groups: () => Promise<ReadonlyArray<Group | Told>> }>
} = {
  decide: () => import("./decide.ts"),
  call: () => import("./call.ts"),
  hooks: () => import("./hooks.ts"),
  batch: () => import("./batch.ts"),
  execute: () => import("./execute.ts"),
  start: () => import("./start.ts"),
  serve: () => import("./serve.ts")
}

interface Row extends Measured {
  readonly group: string
  readonly ratio: number
}

const measured = async (group: Group | Told): Promise<ReadonlyArray<Row>> => {
  const { title } = group
  if ("rows" in group) {
    const [first = { micros: Number.NaN }] = group.rows
    return group.rows.map((row) => ({ group: title, ...row, ratio: row.micros / first.micros }))
  }
  const { marginal = {}, rounds, tasks } = group
  const rows = await alternate(tasks, rounds === undefined ? {} : { rounds })
  const micros = new Map(rows.map(({ micros, name }) => [name, micros]))
  const [first = { micros: Number.NaN }] = rows
  const pairs = new Set(Object.values(marginal).flatMap(({ many, one }) => [many, one]))
  const worked = Object.entries(marginal).map(([name, { many, more, one }]) => {
    const each = ((micros.get(many) ?? Number.NaN) - (micros.get(one) ?? Number.NaN)) / more
    return { group: title, name, micros: each, ratio: each / first.micros }
  })
  return [
    ...rows.filter(({ name }) => !pairs.has(name)).map((row) => ({
      group: title,
      ...row,
      ratio: row.micros / first.micros
    })),
    ...worked
  ]
}

const hold = process.argv.includes("--hold")
const named = process.argv.slice(2).filter((name) => name !== "--hold")
const unknown = named.filter((name) => files[name] === undefined)
if (unknown.length > 0) {
  console.error(`nothing to measure is named \`${unknown.join("`, `")}\`: there are ${Object.keys(files).join(", ")}`)
  process.exit(2)
}

const digits = (micros: number): string => micros < 100 ? micros.toFixed(1) : micros.toFixed(0)

const all: Array<Row> = []
for (const [name, load] of Object.entries(files)) {
  if (named.length > 0 && !named.includes(name)) continue
  for (const group of await (await load()).groups()) {
    const rows = await measured(group)
    all.push(...rows)
    console.log(`\n${group.title}`)
    for (const { fastest, micros, name, ratio, spread } of rows) {
      const range = spread === undefined ? "" : spread.map(digits).join("–")
      console.log(
        `  ${name.padEnd(46)}${digits(micros).padStart(9)} µs ${range.padStart(15)}${ratio.toFixed(2).padStart(9)} ×` +
          (fastest === undefined ? "" : `${digits(fastest).padStart(9)} µs at best`)
      )
    }
  }
}
if (!installed) console.log("\nothers are measured beside ours after `npm ci --prefix bench/peers`")

mkdirSync("build", { recursive: true })
writeFileSync("build/bench.json", `${JSON.stringify({ node: process.version, rows: all }, null, 2)}\n`)

const held = limits.filter(({ group }) => hold && (named.length === 0 || all.some((row) => row.group === group))).map(
  (limit) => {
    const [cost, floor] = [limit.row, limit.to].map((name) => {
      const found = all.find((row) => row.group === limit.group && row.name === name)
      return found?.processor ?? found?.micros ?? Number.NaN
    })
    const ratio = (cost ?? Number.NaN) / (floor ?? Number.NaN)
    const fine = ratio <= limit.most
    const verdict = fine ? "held" : "too much"
    console.log(`${verdict}: ${limit.row} is ${ratio.toFixed(2)} times ${limit.to}, at most ${limit.most}`)
    return fine
  }
)
if (held.includes(false)) process.exitCode = 1
