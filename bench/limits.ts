/**
 * What must not get worse unnoticed: how many times the processor time of another row of its group a row may cost, which
 * hardly depends on how busy the machine is. What is aimed at is told in `README.md`; here is room for other machines.
 */
export interface Limit {
  readonly group: string
  readonly row: string
  readonly to: string
  readonly most: number
}

export const limits: ReadonlyArray<Limit> = [
  { group: "decide about a line, by how many rules there are", row: "10,000 rules", to: "10 rules", most: 2 },
  { group: "compile rules", row: "one that is granted beside them", to: "read and arrange 10,000", most: 0.1 },
  { group: "a call of a tool that does nothing", row: "toolgate", to: "eight async functions", most: 10 },
  { group: "a call of a tool that does nothing", row: "toolgate", to: "effect/ai Toolkit handle", most: 0.8 },
  {
    group: "a call of a tool that does nothing",
    row: "toolgate with numbers and spans",
    to: "effect/ai Toolkit handle with spans",
    most: 1.6
  },
  { group: "a thousand reads, one after the other", row: "a batch", to: "bare reads", most: 8 },
  // What is ours of it: the shell has its processor time for itself.
  { group: "Bash `true`", row: "through all eight stages", to: "bare spawn", most: 4 },
  { group: "a process, processor time", row: "toolgate-client check", to: "node -e 0", most: 1.6 },
  { group: "a process, processor time", row: "toolgate check", to: "node -e 0", most: 3.4 },
  { group: "a process, processor time", row: "toolgate check, with a flag", to: "node -e 0", most: 4.5 }
]
