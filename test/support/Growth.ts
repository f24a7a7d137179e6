// How the time of a function grows with its input, measured so that a busy machine does not decide.

/** Each size is four times the one before. A function that is worse than linear fails before it gets slow. */
export const sizes = [1024, 4096, 16_384] as const

// Times below this are ignored: the clock's resolution and garbage collection outweigh the work.
const noise = 4

// Linear is 4, and a sort is 4.7. Quadratic is 16.
const tolerated = 10

const attempts = 20

// The next size is compared with this one, so a time that counts is measured again, however good it is.
const repeats = 3

// The lesser of processor time, which other processes do not slow down, and elapsed time, which counts no other thread.
const milliseconds = (work: () => void): number => {
  const began = performance.now()
  const used = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(used)
  return Math.min(performance.now() - began, (system + user) / 1000)
}

/** Why the work is worse than linear, or `undefined`. The least of several times counts. */
export const excess = (work: (size: number) => () => void): string | undefined => {
  let before = Infinity
  for (const size of sizes) {
    const run = work(size)
    let best = milliseconds(run)
    const isFine = () => best < noise || best < tolerated * before
    const isEnough = (attempt: number) => isFine() && (best < noise || attempt >= repeats)
    for (let attempt = 1; attempt < attempts && !isEnough(attempt); attempt++) best = Math.min(best, milliseconds(run))
    if (!isFine()) return `${before.toFixed(2)} ms for ${size / 4} characters, ${best.toFixed(2)} ms for ${size}`
    before = Math.max(best, noise / tolerated)
  }
  return undefined
}
