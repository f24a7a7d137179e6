// Nanoseconds of the processor for one run of each work: the median of many rounds after a few that warm up. Time of the
// processor, not of the clock: a busy machine must not look like a slow counter.

const rounds = 15
const warmUp = 5

/** @param {Readonly<Record<string, readonly [runs: number, work: (runs: number) => unknown]>>} works */
export const measureAll = async (works) => {
  const times = {}
  for (const [name, [runs, work]] of Object.entries(works)) {
    const taken = []
    for (let round = -warmUp; round < rounds; round++) {
      const start = process.cpuUsage()
      await work(runs)
      const { system, user } = process.cpuUsage(start)
      if (round >= 0) taken.push(((system + user) * 1000) / runs)
    }
    times[name] = taken.sort((a, b) => a - b)[Math.floor(rounds / 2)]
  }
  process.stdout.write(JSON.stringify(times))
}
