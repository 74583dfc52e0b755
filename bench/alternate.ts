/**
 * Measures tasks side by side: rounds of all of them take turns in one process, so that what a shared machine does
 * meanwhile falls on each of them alike. Compare ratios, not times.
 */

/** What is done once; whoever runs it is given which time it is. */
export type Task = (nth: number) => unknown

export interface Measured {
  readonly name: string
  /** Median of the rounds, in µs for one time. */
  readonly micros: number
  /** First and third quartile, in µs, of what has some. */
  readonly spread?: readonly [number, number]
  /** The fastest round, in µs for one time: about what it takes when nobody else wants the processor. */
  readonly fastest?: number
}

/**
 * Measures every task. A round of a task lasts about `millis`; the first quarter of the rounds warms up and is not
 * counted.
 */
export const alternate = async (
  tasks: { readonly [name: string]: Task },
  { millis = 10, rounds = 80 }: { readonly millis?: number; readonly rounds?: number } = {}
): Promise<ReadonlyArray<Measured>> => {
  const running: Array<{ name: string; task: Task; times: number; micros: Array<number> }> = []
  for (const [name, task] of Object.entries(tasks)) {
    // What is made once and kept is made here.
    const once = await timed(task, 1)
    if (once < millis * 1_000) await timed(task, 20)
    let times = 1
    // The fastest of three: what disturbs one of them must not make for rounds that are too short to be warm.
    while (times < 1_000_000 && Math.min(...await thrice(() => timed(task, times))) < millis * 1_000) times *= 2
    running.push({ name, task, times, micros: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const one of running) {
      const micros = await timed(one.task, one.times) / one.times
      if (round >= rounds / 4) one.micros.push(micros)
    }
  }
  return running.map(({ micros, name }) => {
    const sorted = micros.toSorted((a, b) => a - b)
    const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
    return { name, micros: at(0.5), spread: [at(0.25), at(0.75)], fastest: at(0) }
  })
}

/** How many µs a task takes for so many times. */
const timed = async (task: Task, times: number): Promise<number> => {
  const started = process.hrtime.bigint()
  for (let nth = 0; nth < times; nth++) {
    const done = task(nth)
    // A task that is done at once must not pay for a promise.
    if (done instanceof Promise) await done
  }
  return Number(process.hrtime.bigint() - started) / 1_000
}

const thrice = async (measure: () => Promise<number>): Promise<ReadonlyArray<number>> => [
  await measure(),
  await measure(),
  await measure()
]
