// `npm run fuzz`: every property of the tests, many more times and with fresh seeds.
import { Progress } from "./Progress.ts"
import * as Properties from "./Properties.ts"
import * as Request from "./Request.ts"

const round = async (files: ReadonlyArray<string>, progress: Progress): Promise<void> => {
  const needsServers = files.some(Properties.isExpensive)
  const { startVitest } = await import("vitest/node")
  const vitest = await startVitest("test", [...files], {
    root: Properties.root,
    config: "test/fuzz/fuzz.config.ts",
    watch: false,
    include: [...files],
    runner: "test/fuzz/FuzzRunner.ts",
    includeTaskLocation: true,
    reporters: [progress],
    testTimeout: 600_000,
    ...(needsServers ? {} : { globalSetup: [] })
  })
  progress.endRound()
  await vitest.close()
}

const run = async ({ files, minutes, seed }: Request.Request): Promise<number> => {
  const deadline = minutes === undefined ? Infinity : Date.now() + minutes * 60_000
  process.env["FUZZ_DEADLINE"] = String(deadline)
  const end = seed === "" && minutes !== undefined ? deadline : 0
  const progress = new Progress()
  await round(files, progress)
  let rounds = 1
  for (; Date.now() < end; rounds++) await round(files, progress)
  process.stderr.write(`${progress.summary(rounds)}\n`)
  return progress.failures === 0 ? 0 : 1
}

const main = async (words: ReadonlyArray<string>): Promise<number> => {
  const request = Request.read(words, process.env)
  if (typeof request !== "string") return run(request)
  if (request === "") process.stdout.write(Request.usage)
  else process.stderr.write(`${request}\n\n${Request.usage}`)
  return request === "" ? 0 : 2
}

process.exit(await main(process.argv.slice(2)))
