// graphile-worker, as its documentation sets it up: one by one, or with its local queue and its ends in batches.
import { Pool } from "pg"
import { answer, rate } from "./Answers.mjs"

const isBatched = process.env.BATCHES === "1"
const { Logger, makeWorkerUtils, run } = await import(isBatched ? "graphile-worker-batches" : "graphile-worker")

const concurrency = 24
// A connection for each place, and one that listens.
const pgPool = new Pool({ connectionString: process.env.DATABASE_URL, max: concurrency + 1 })
const logger = new Logger(() => () => undefined)
const utils = await makeWorkerUtils({ pgPool, logger })
await utils.migrate()
const batches = isBatched
  ? { preset: { worker: { localQueue: { size: concurrency + 1 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } } }
  : {}

const isSettled = async () => {
  const { rows } = await pgPool.query("SELECT 1 FROM graphile_worker._private_jobs LIMIT 1")
  return rows.length === 0
}

const jobs = async (count) => {
  await pgPool.query(
    `SELECT graphile_worker.add_jobs(ARRAY(
       SELECT ROW('empty', json_build_object('number', n), NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
       FROM generate_series(1, $1::int) AS n))`,
    [count]
  )
  const start = async (done) => {
    const taskList = { empty: async () => done() }
    const runner = await run({ pgPool, logger, concurrency, noHandleSignals: true, taskList, ...batches })
    return () => runner.stop()
  }
  return rate(count, start, isSettled)
}

answer({ jobs })
