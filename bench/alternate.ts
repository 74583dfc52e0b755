/**
 * Measures tasks side by side: rounds of all of them take turns in one process, so that what a shared machine does
 * meanwhile falls on each of them alike. Compare ratios, not times; where the machine is busy, those of processor time.
 */

/** What is done once; whoever runs it is given which time it is. */
export type Task = (nth: number) => unknown

export interface Measured {
  readonly name: string
  /** Median of the rounds, in µs for one time. */
  readonly micros: number
  /** Median of the processor time of this process, in µs for one time, which others on the machine hardly change. */
  readonly processor?: number
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
  const running: Array<{ name: string; task: Task; times: number; took: Array<Took> }> = []
  for (const [name, task] of Object.entries(tasks)) {
    // What is made once and kept is made here.
    const once = await timed(task, 1)
    if (once.wall < millis * 1_000) await timed(task, 20)
    let times = 1
    // The fastest of three: what disturbs one of them must not make for rounds that are too short to be warm.
    const fastest = async () => Math.min(...(await thrice(() => timed(task, times))).map(({ wall }) => wall))
    while (times < 1_000_000 && await fastest() < millis * 1_000) times *= 2
    running.push({ name, task, times, took: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const one of running) {
      const took = await timed(one.task, one.times)
      if (round >= rounds / 4) one.took.push(took)
    }
  }
  return running.map(({ name, times, took }) => {
    const sorted = (what: keyof Took) => took.map((one) => one[what] / times).toSorted((a, b) => a - b)
    const at = (values: ReadonlyArray<number>, part: number): number =>
      values[Math.floor((values.length - 1) * part)] ?? Number.NaN
    const wall = sorted("wall")
    return {
      name,
      micros: at(wall, 0.5),
      processor: at(sorted("processor"), 0.5),
      spread: [at(wall, 0.25), at(wall, 0.75)],
      fastest: at(wall, 0)
    }
  })
}

/** In µs. */
interface Took {
  readonly wall: number
  readonly processor: number
}

/** How long a task takes for so many times. */
const timed = async (task: Task, times: number): Promise<Took> => {
  const used = process.cpuUsage()
  const started = process.hrtime.bigint()
  for (let nth = 0; nth < times; nth++) {
    const done = task(nth)
    // A task that is done at once must not pay for a promise.
    if (done instanceof Promise) await done
  }
  const wall = Number(process.hrtime.bigint() - started) / 1_000
  const { system, user } = process.cpuUsage(used)
  return { wall, processor: system + user }
}

const thrice = async (measure: () => Promise<Took>): Promise<ReadonlyArray<Took>> => [
  await measure(),
  await measure(),
  await measure()
]
