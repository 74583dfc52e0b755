/** The milliseconds of processor time that something takes, so that a busy machine doesn't count. */
export const processorMillis = (work: () => void): number => {
  const from = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(from)
  return (user + system) / 1_000
}
