// pg-boss by the means that it has for those who want more than its polling: as many loops that fetch and complete one job.
import { Pool } from "pg"
import PgBoss from "pg-boss"
import { answer, rate } from "./Answers.mjs"

const concurrency = 24
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: concurrency })
const db = { executeSql: (text, values) => pool.query(text, values) }
const boss = new PgBoss({ db, supervise: false, schedule: false })
await boss.start()
await boss.createQueue("empty")

const isSettled = async () => (await boss.getQueueSize("empty", { before: "completed" })) === 0

const jobs = async (count) => {
  const rows = Array.from({ length: count }, (_, number) => ({ name: "empty", data: { number } }))
  for (let at = 0; at < count; at += 1000) await boss.insert(rows.slice(at, at + 1000))
  const start = async (done) => {
    const loop = async () => {
      for (;;) {
        const [job] = await boss.fetch("empty")
        if (job === undefined) return
        done()
        await boss.complete("empty", job.id)
      }
    }
    const loops = Promise.all(Array.from({ length: concurrency }, loop))
    return () => loops
  }
  const measured = await rate(count, start, isSettled)
  await pool.query("DELETE FROM pgboss.job")
  return measured
}

answer({ jobs })
