// `/articles?cursor=` by hand: node:http with better-sqlite3 or pg, one statement with a join, and our headers.
import { createServer } from "node:http"
import { lines, requestId } from "../server/HandWrittenHeaders.mjs"

const { DATABASE_URL } = process.env
const isPostgres = DATABASE_URL.startsWith("postgres")

// PostgreSQL keeps microseconds, which a Date loses.
const moment = isPostgres
  ? `to_char(a.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  : "a.published_at"
const columns = `a.id, a.title, a.summary, ${moment} AS published_at, a.author_id, w.name`
const from = "FROM articles a JOIN authors w ON w.id = a.author_id"
const order = "ORDER BY a.published_at DESC, a.id DESC"
const first = `SELECT ${columns} ${from} ${order} LIMIT $1`
const after = `SELECT ${columns} ${from} WHERE (a.published_at, a.id) < ($1, $2) ${order} LIMIT $3`

const sqlite = async () => {
  const { default: Database } = await import("better-sqlite3")
  const database = new Database(DATABASE_URL.replace(/^file:/, ""), { readonly: true, timeout: 5000 })
  const prepare = (text) => database.prepare(text.replaceAll(/\$\d/g, "?"))
  const [begin, next] = [prepare(first), prepare(after)]
  return (limit, cursor, use) => use(cursor === undefined ? begin.all(limit) : next.all(...cursor, limit))
}

const postgres = async () => {
  const { default: pg } = await import("pg")
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
  const report = (error) => process.stderr.write(`${error.stack}\n`)
  return (limit, cursor, use) =>
    pool
      .query(
        cursor === undefined
          ? { name: "first", text: first, values: [limit] }
          : { name: "after", text: after, values: [...cursor, limit] }
      )
      .then(({ rows }) => use(rows), report)
}

const read = await (isPostgres ? postgres() : sqlite())

// `undefined` for the first page, `null` for a cursor that is none.
const decode = (token) => {
  if (token === "") return undefined
  try {
    const cursor = JSON.parse(Buffer.from(token, "base64url").toString())
    const isCursor = Array.isArray(cursor) && cursor.length === 2
    return isCursor && typeof cursor[0] === "string" && Number.isSafeInteger(cursor[1]) ? cursor : null
  } catch {
    return null
  }
}

const encode = ({ id, published_at }) => Buffer.from(JSON.stringify([published_at, id])).toString("base64url")

const toItem = ({ author_id, id, name, published_at, summary, title }) => ({
  id,
  title,
  summary,
  published_at,
  author_id,
  author: { id: author_id, name }
})

const respond = (response, status, body, link) => {
  const head = ["x-request-id", requestId(), "vary", "Accept"]
  if (link !== undefined) head.push("link", link)
  head.push(...lines, "content-length", String(Buffer.byteLength(body)))
  response.writeHead(status, head)
  response.end(body)
}

createServer((request, response) => {
  const [path, query] = request.url.split("?", 2)
  if (request.method !== "GET" || path !== "/articles") return respond(response, 404, '{"status":404}')
  const parameters = new URLSearchParams(query)
  const limit = Number(parameters.get("limit") ?? 10)
  const cursor = decode(parameters.get("cursor") ?? "")
  if (cursor === null || !Number.isInteger(limit) || limit < 1 || limit > 100)
    return respond(response, 400, '{"status":400}')
  // One more than asked tells whether there is a next page.
  read(limit + 1, cursor, (rows) => {
    const hasNext = rows.length > limit
    const page = hasNext ? rows.slice(0, limit) : rows
    const next = hasNext ? encode(page[page.length - 1]) : undefined
    const body = JSON.stringify({ items: page.map(toItem), limit, next })
    if (next === undefined) return respond(response, 200, body)
    respond(response, 200, body, `</articles?limit=${limit}&cursor=${next}>; rel="next"`)
  })
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`)
})
