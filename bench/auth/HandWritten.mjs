// Who is signed in, by hand: node:http with better-sqlite3 or pg, one statement for session and account, our headers.
import { hash } from "node:crypto"
import { createServer } from "node:http"
import { lines, requestId } from "../server/HandWrittenHeaders.mjs"

const { DATABASE_URL } = process.env
const select = `SELECT s.user_id, s.last_seen, s.absolute, u.email, u.email_verified_at
  FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.key = $1 AND s.expires > $2`
const stamp = "UPDATE sessions SET last_seen = $1, expires = $2 WHERE key = $3 AND last_seen < $4"

const sqlite = async () => {
  const { default: Database } = await import("better-sqlite3")
  const database = new Database(DATABASE_URL.replace(/^file:/, ""), { timeout: 5000 })
  database.pragma("synchronous = NORMAL")
  const prepare = (text) => database.prepare(text.replaceAll(/\$\d/g, "?"))
  const [found, stamped] = [prepare(select), prepare(stamp)]
  return {
    find: (key, now, use) => use(found.get(key, now)),
    touch: (key, now, expires) => stamped.run(now, expires, key, now)
  }
}

const postgres = async () => {
  const { default: pg } = await import("pg")
  // BIGINT as a number: all of them are seconds.
  pg.types.setTypeParser(20, Number)
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
  const report = (error) => process.stderr.write(`${error.stack}\n`)
  return {
    find: (key, now, use) =>
      pool.query({ name: "find", text: select, values: [key, now] }).then(({ rows }) => use(rows[0]), report),
    touch: (key, now, expires) =>
      void pool.query({ name: "touch", text: stamp, values: [now, expires, key, now] }).catch(report)
  }
}

const { find, touch } = await (DATABASE_URL.startsWith("postgres") ? postgres() : sqlite())

const cookie = (header = "") => {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=")
    if (pair.slice(0, at).trim() === "session") return pair.slice(at + 1).trim()
  }
  return undefined
}

const respond = (response, status, body) => {
  response.writeHead(status, [
    "x-request-id",
    requestId(),
    ...lines,
    "cache-control",
    "no-store",
    "content-length",
    String(Buffer.byteLength(body))
  ])
  response.end(body)
}

const unauthorized = (response) => respond(response, 401, '{"status":401,"message":"Unauthorized"}')

createServer((request, response) => {
  if (request.method !== "GET" || request.url !== "/session") return respond(response, 404, '{"status":404}')
  const id = cookie(request.headers.cookie)
  if (id === undefined || !/^[\w-]{43}$/.test(id)) return unauthorized(response)
  const key = hash("sha256", id, "hex")
  const now = Math.floor(Date.now() / 1000)
  find(key, now, (row) => {
    if (row === undefined) return unauthorized(response)
    if (now - row.last_seen >= 60) touch(key, now, Math.min(now + 7200, row.absolute))
    const user = { id: row.user_id, email: row.email, verified: row.email_verified_at !== null }
    respond(response, 200, JSON.stringify({ user }))
  })
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`)
})
