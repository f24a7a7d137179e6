// A program that is measured: it answers what its parent asks, one question at a time, and ends when its parent is gone.
export const answer = (answers) => {
  process.on("message", async ({ about, ask }) => {
    try {
      process.send({ answer: await answers[ask](about) })
    } catch (error) {
      process.send({ error: error.stack })
    }
  })
  process.on("disconnect", () => process.exit())
  process.send({ answer: "ready" })
}

/** Jobs a second: `start` runs what is stored and tells each job to `done`; the last one counts when its end is stored. */
export const rate = async (jobs, start, isSettled) => {
  let left = jobs
  const last = Promise.withResolvers?.() ?? deferred()
  const began = performance.now()
  const stop = await start(() => --left === 0 && last.resolve())
  await last.promise
  while (!(await isSettled())) await new Promise((resolve) => setTimeout(resolve, 2))
  const seconds = (performance.now() - began) / 1000
  await stop()
  return jobs / seconds
}

const deferred = () => {
  const made = {}
  made.promise = new Promise((resolve) => (made.resolve = resolve))
  return made
}
