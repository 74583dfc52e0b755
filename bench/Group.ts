/** What is measured side by side. */
import type { Measured, Task } from "./alternate.ts"

export interface Group {
  readonly title: string
  /** The first is what the others are compared with. */
  readonly tasks: { readonly [name: string]: Task }
  /** How often each is measured, where it takes so long that 80 times are too many. */
  readonly rounds?: number
  /** Rows that are worked out: what one more time costs, by the names of the tasks with many and with one. */
  readonly marginal?: {
    readonly [name: string]: { readonly many: string; readonly one: string; readonly more: number }
  }
}

/** Rows of what was measured elsewhere, such as the processor time of other processes. */
export interface Told {
  readonly title: string
  /** The first is what the others are compared with. */
  readonly rows: ReadonlyArray<Measured>
}
