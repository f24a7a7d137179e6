// By hand on the tables that ours made: rows inserted by the bare drivers, and a loop over jobs on better-sqlite3.
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { answer } from "./Answers.mjs"

const { DATABASE_URL } = process.env

const columns = ["id", "name", "queue", "priority", "payload", "state", "attempts", "due", "created_at"]

const rowsOf = (count) => {
  const now = Date.now()
  return Array.from({ length: count }, (_, number) => [
    randomUUID(),
    "empty",
    "default",
    0,
    JSON.stringify({ number }),
    "ready",
    0,
    now,
    now
  ])
}

const sqlite = async () => {
  const { default: Database } = await import("better-sqlite3")
  const database = new Database(DATABASE_URL.replace(/^file:/, ""), { timeout: 5000 })
  database.pragma("synchronous = NORMAL")
  const places = columns.map(() => "?").join(", ")
  const insertOne = database.prepare(`INSERT INTO jobs (${columns.join(", ")}) VALUES (${places})`)
  const insertAll = database.transaction((rows) => {
    for (const row of rows) insertOne.run(...row)
  })
  const claim = database.prepare(
    `UPDATE jobs SET state = 'running', lease = ?, due = ?, attempts = attempts + 1 WHERE id = (
       SELECT id FROM jobs WHERE state = 'ready' AND queue = ? ORDER BY priority, due, id LIMIT 1
     ) RETURNING id, name, payload`
  )
  const settle = database.prepare(
    "UPDATE jobs SET state = 'done', ended_at = ?, lease = NULL WHERE id = ? AND state = 'running' AND lease = ?"
  )
  const handlers = { empty: async () => undefined }
  const run = async (count) => {
    insertAll(rowsOf(count))
    const began = performance.now()
    for (;;) {
      const lease = randomUUID()
      const job = claim.get(lease, Date.now() + 60_000, "default")
      if (job === undefined) break
      await handlers[job.name](JSON.parse(job.payload))
      settle.run(Date.now(), job.id, lease)
    }
    return (count * 1000) / (performance.now() - began)
  }
  return { insertAll, clear: () => database.exec("DELETE FROM jobs"), run }
}

const postgres = async () => {
  const { default: pg } = await import("pg")
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  const insertAll = async (rows) => {
    await client.query("BEGIN")
    for (let at = 0; at < rows.length; at += 1000) {
      const some = rows.slice(at, at + 1000)
      const places = some.map((row, r) => `(${row.map((_, c) => `$${r * row.length + c + 1}`).join(", ")})`)
      await client.query(`INSERT INTO jobs (${columns.join(", ")}) VALUES ${places.join(", ")}`, some.flat())
    }
    await client.query("COMMIT")
  }
  const insertOne = `INSERT INTO jobs (${columns.join(", ")}) VALUES (${columns.map((_, c) => `$${c + 1}`).join(", ")})`
  const claim = `UPDATE jobs SET state = 'running', lease = $1, due = $2, attempts = attempts + 1 WHERE id = (
    SELECT id FROM jobs WHERE state = 'ready' AND queue = 'default' ORDER BY priority, due, id LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING id, name, payload`
  // What a job in the same process cannot do without: its row is committed, and then it is claimed.
  const wake = async () => {
    await setTimeout(20 + Math.random() * 30)
    const [row] = rowsOf(1)
    const began = performance.now()
    await client.query({ name: "insert", text: insertOne, values: row })
    await client.query({ name: "claim", text: claim, values: [randomUUID(), Date.now() + 60_000] })
    return performance.now() - began
  }
  return { insertAll, clear: () => client.query("DELETE FROM jobs"), wake }
}

const { clear, insertAll, run, wake } = await (DATABASE_URL.startsWith("postgres") ? postgres() : sqlite())

/** Milliseconds. */
const insert = async (count) => {
  const rows = rowsOf(count)
  const began = performance.now()
  await insertAll(rows)
  const took = performance.now() - began
  await clear()
  return took
}

const jobs = async (count) => {
  const measured = await run(count)
  await clear()
  return measured
}

/** Milliseconds of so many inserts with the claims that follow them, each after a rest. */
const wakes = async (count) => {
  const times = []
  while (times.length < count) times.push(await wake())
  await clear()
  return times
}

answer({ insert, jobs, wakes })
