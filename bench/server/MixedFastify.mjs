// The routes of the mixed traffic by hand, on Fastify with the plugins that its users take. Its pages are ours with places for
// what changes, its rows lie in a copy of our database, and its sessions there as well.
import cookie from "@fastify/cookie"
import csrf from "@fastify/csrf-protection"
import formbody from "@fastify/formbody"
import helmet from "@fastify/helmet"
import rateLimit from "@fastify/rate-limit"
import session from "@fastify/session"
import files from "@fastify/static"
import argon2 from "argon2"
import Sqlite from "better-sqlite3"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { create } from "./FastifyRecorded.mjs"

const { DATABASE, FOLDER } = process.env
const database = new Sqlite(DATABASE, { timeout: 5000 })
database.pragma("journal_mode = WAL")
database.pragma("synchronous = NORMAL")
database.exec(
  "CREATE TABLE fastify_sessions (id TEXT PRIMARY KEY, user_id TEXT, data TEXT NOT NULL, expires INTEGER NOT NULL)"
)
database.exec("CREATE INDEX fastify_sessions_user ON fastify_sessions (user_id)")

const statements = {
  readSession: database.prepare("SELECT data FROM fastify_sessions WHERE id = ? AND expires > ?"),
  writeSession: database.prepare(
    "INSERT INTO fastify_sessions VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, data = excluded.data, expires = excluded.expires"
  ),
  endSession: database.prepare("DELETE FROM fastify_sessions WHERE id = ?"),
  sessionsOf: database.prepare(
    "SELECT data, expires FROM fastify_sessions WHERE user_id = ? ORDER BY expires DESC LIMIT 100"
  ),
  userByEmail: database.prepare("SELECT id, email, password FROM users WHERE email = ?"),
  userById: database.prepare("SELECT id, email, email_verified_at FROM users WHERE id = ?"),
  count: database.prepare("SELECT COUNT(*) AS total FROM articles"),
  page: database.prepare(`SELECT a.id, a.title, a.summary, a.published_at, a.author_id, w.name FROM articles a
    JOIN authors w ON w.id = a.author_id ORDER BY a.published_at DESC, a.id DESC LIMIT ? OFFSET ?`),
  after: database.prepare(`SELECT a.id, a.title, a.summary, a.published_at, a.author_id, w.name FROM articles a
    JOIN authors w ON w.id = a.author_id WHERE (a.published_at, a.id) < (?, ?)
    ORDER BY a.published_at DESC, a.id DESC LIMIT ?`)
}

const lifetime = 7_200_000

// https://github.com/fastify/session#store
const store = {
  get: (id, done) => {
    const row = statements.readSession.get(id, Date.now())
    done(null, row === undefined ? null : JSON.parse(row.data))
  },
  set: (id, held, done) => {
    statements.writeSession.run(id, held.user ?? null, JSON.stringify(held), Date.now() + lifetime)
    done(null)
  },
  destroy: (id, done) => {
    statements.endSession.run(id)
    done(null)
  }
}

const app = create(join(FOLDER, "fastify.log"), { trustProxy: true })

await app.register(helmet)
await app.register(cookie)
await app.register(formbody)
// https://github.com/fastify/session#options: no row for a visitor, none written where nothing changed.
await app.register(session, {
  secret: "a secret of at least thirty-two characters",
  cookieName: "session",
  cookie: { secure: false, maxAge: lifetime, sameSite: "lax" },
  saveUninitialized: false,
  rolling: false,
  store
})
// https://github.com/fastify/csrf-protection#use-with-fastifycookie
await app.register(csrf)
await app.register(rateLimit, { global: false })
await app.register(files, { root: join(FOLDER, "assets"), prefix: "/assets/", immutable: true, maxAge: "1y" })

const escape = (text) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const page = (name) => readFileSync(join(FOLDER, `${name}.html`), "utf8")
const filled = (name) => {
  const parts = page(name).split("{{token}}")
  return (token) => parts.join(token)
}
const pages = { home: page("home"), login: filled("login"), account: filled("account"), error: page("error") }
const html = (reply, body) => reply.type("text/html; charset=utf-8").send(body)

app.setErrorHandler((error, request, reply) => {
  request.log.error(error)
  return html(reply.status(500), pages.error)
})

const toItem = ({ author_id, id, name, published_at, summary, title }) => ({
  id,
  title,
  summary,
  published_at,
  author_id,
  author: { id: author_id, name }
})

app.get("/", (request, reply) => html(reply, pages.home))

app.get("/login", async (request, reply) => html(reply, pages.login(reply.generateCsrf())))

const signIn = async (request, reply) => {
  const { email, password } = request.body
  const user = statements.userByEmail.get(email)
  if (user === undefined || !(await argon2.verify(user.password, password)))
    return reply.status(401).send("Invalid credentials.")
  await request.session.regenerate()
  request.session.user = user.id
  request.session.agent = request.headers["user-agent"] ?? ""
  request.session.seen = Date.now()
  return reply.redirect("/account", 303)
}

app.post("/login", { preHandler: app.csrfProtection, config: { rateLimit: { max: 5, timeWindow: 60_000 } } }, signIn)

const dates = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" })

app.get("/account", async (request, reply) => {
  const { user } = request.session
  if (user === undefined) return reply.redirect("/login", 303)
  const account = statements.userById.get(user)
  const rows = statements.sessionsOf.all(user).map(({ data }) => {
    const { agent, seen } = JSON.parse(data)
    return `<li><span>${escape(agent)}</span> <span class="faint">${dates.format(seen)}</span></li>`
  })
  const body = pages
    .account(reply.generateCsrf())
    .replace("{{email}}", escape(account.email))
    .replace("{{sessions}}", rows.join(""))
  return html(reply.header("cache-control", "no-store"), body)
})

app.get("/articles", async (request, reply) => {
  const { cursor, page } = request.query
  if (cursor !== undefined) {
    const rows = statements.after.all(...JSON.parse(Buffer.from(cursor, "base64url").toString()), 11)
    const items = rows.slice(0, 10)
    const last = items.at(-1)
    const next =
      rows.length > 10 ? Buffer.from(JSON.stringify([last.published_at, last.id])).toString("base64url") : undefined
    if (next !== undefined) reply.header("link", `</articles?limit=10&cursor=${next}>; rel="next"`)
    return reply.send({ items: items.map(toItem), limit: 10, next })
  }
  const { total } = statements.count.get()
  const items = statements.page.all(10, (Number(page) - 1) * 10).map(toItem)
  return reply.send({ items, page: Number(page), limit: 10, total, pages: Math.ceil(total / 10) })
})

app.get("/error", async () => {
  throw new Error("Order 42 cannot be placed.", { cause: new Error("Only 2 are left.") })
})

const url = await app.listen({ port: 0, host: "127.0.0.1" })
process.stdout.write(`listening on ${url}\n`)
