// A return from an OpenID provider by hand: node:http, openid-client and better-sqlite3 with prepared statements, on a database
// that ours has migrated. It does what any implementation needs to promise the same, and each thing in its cheapest form.
import Sqlite from "better-sqlite3"
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import * as OpenId from "openid-client"
import { requestId } from "../server/HandWrittenHeaders.mjs"

const { DATABASE_URL, ISSUER } = process.env
const redirectUri = `${process.env.APP_URL}/login/with/oidc/callback`

const database = new Sqlite(DATABASE_URL.replace(/^file:/, ""), { timeout: 5000 })
database.pragma("synchronous = NORMAL")

// Requests to a provider end after five seconds, follow no redirect and are read up to 256 KiB. That a discovery may name an
// address of the own network is not looked at, in favour of the peer: `fetch` has no place for it.
const bounded = async (url, options) => {
  const response = await fetch(url, { ...options, redirect: "error", signal: AbortSignal.timeout(5000) })
  const parts = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > 262_144) throw new Error("too large")
    parts.push(part)
  }
  return new Response(Buffer.concat(parts), { status: response.status, headers: response.headers })
}

const config = await OpenId.discovery(
  new URL(ISSUER),
  "test-client",
  undefined,
  OpenId.ClientSecretPost("test-secret"),
  {
    // Signatures are checked: without this they are not.
    execute: [OpenId.allowInsecureRequests, OpenId.enableNonRepudiationChecks],
    timeout: 5,
    [OpenId.customFetch]: bounded
  }
)

const digest = (text) => hash("sha256", text, "hex")
const random = (size) => randomBytes(size).toString("base64url")
const now = () => Math.floor(Date.now() / 1000)

// Values that a browser keeps and cannot change: the flow, and the device that an account has used.
const secret = randomBytes(32)
const signatureOf = (text) => createHmac("sha256", secret).update(text).digest("base64url")
const seal = (value) => {
  const text = Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${text}.${signatureOf(text)}`
}
const unseal = (text = "") => {
  const [payload = "", signature = ""] = text.split(".")
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(payload))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return JSON.parse(Buffer.from(payload, "base64url").toString())
}

const cookiesOf = (header = "") =>
  Object.fromEntries(
    header.split(";").map((pair) => [pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1)])
  )

// A limit that all workers share: each return makes the program ask the provider.
database.exec("CREATE TABLE hand_limits (key TEXT PRIMARY KEY, hits INTEGER NOT NULL, expires BIGINT NOT NULL)")
const hit = database.prepare(`INSERT INTO hand_limits VALUES (?, 1, ?) ON CONFLICT (key) DO UPDATE SET
  hits = CASE WHEN expires <= ? THEN 1 ELSE hits + 1 END,
  expires = CASE WHEN expires <= ? THEN excluded.expires ELSE expires END RETURNING hits`)
// A state works once on every worker, also with a copy of the cookie.
const claim = database.prepare(
  "INSERT INTO provider_flows (key, data, expires) VALUES (?, '', ?) ON CONFLICT DO NOTHING"
)
// The account, and whether it has a second factor, which keeps it from a session.
const find = database.prepare(`SELECT i.user_id, u.email, u.email_verified_at,
    EXISTS (SELECT 1 FROM factors f WHERE f.user_id = i.user_id) AS has_factor
  FROM linked_identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = ? AND i.subject = ?`)
// The owner of a proved address hears of a sign-in from somewhere new.
const familiar = database.prepare(`SELECT 1 FROM security_events WHERE user_id = ? AND event IN ('SignedIn', 'SignedUp')
  AND peer = ? AND user_agent = ? LIMIT 1`)
// Nothing where the identity was disconnected meanwhile: then there is no session either.
const use = database.prepare(
  "UPDATE linked_identities SET last_used = ? WHERE issuer = ? AND subject = ? AND user_id = ?"
)
const open = database.prepare(`INSERT INTO sessions
  (key, user_id, data, version, created_at, last_seen, expires, absolute, peer, user_agent)
  VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`)
const record = database.prepare(`INSERT INTO security_events
  (id, user_id, event, outcome, actor, peer, user_agent, details, created_at)
  VALUES (?, ?, 'SignedIn', 'success', 'person', ?, ?, ?, ?)`)

const begin = database.transaction(({ account, address, agent, at, key, subject }) => {
  if (use.run(at, ISSUER, subject, account).changes === 0) return false
  // The handle of the identity, so that the session ends with it. The secret of forms is derived from the new id.
  open.run(key, account, JSON.stringify({ identity: subject }), at, at, at + 7200, at + 2_592_000, address, agent)
  record.run(`${Date.now().toString(16)}${random(9)}`, account, address, agent, '{"by":"OpenID"}', at)
  return true
})

// What an operator sees: lines of an access log, in batches, and counters.
let lines = []
const counters = new Map()
const count = (name) => counters.set(name, (counters.get(name) ?? 0) + 1)
setInterval(() => {
  if (lines.length === 0) return
  process.stdout.write(lines.join(""))
  lines = []
}, 100)

const headers = [
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ["referrer-policy", "same-origin"],
  ["strict-transport-security", "max-age=31536000; includeSubDomains"],
  ["x-content-type-options", "nosniff"],
  ["cache-control", "no-store"]
].flat()

const flags = "Path=/; Secure; HttpOnly; SameSite=Lax"

const respond = (response, status, location, cookies) => {
  const sent = ["x-request-id", requestId(), ...headers, "location", location, "content-length", "0"]
  for (const cookie of cookies) sent.push("set-cookie", cookie)
  response.writeHead(status, sent).end()
}

const start = async (response) => {
  const flow = { provider: "oidc", state: random(16), verifier: random(32), begun: now() }
  const address = OpenId.buildAuthorizationUrl(config, {
    scope: "openid email profile",
    redirect_uri: redirectUri,
    state: flow.state,
    nonce: digest(flow.verifier),
    code_challenge: await OpenId.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: "S256"
  })
  respond(response, 303, address.href, [`flow=${seal(flow)}; ${flags}`])
}

const finish = async (request, response) => {
  const at = now()
  // The last of the addresses is the one that the proxy has seen.
  const address = request.headers["x-forwarded-for"]?.split(",").at(-1).trim() ?? request.socket.remoteAddress
  const agent = request.headers["user-agent"] ?? ""
  const refuse = (reason) => {
    count(`returns ${reason}`)
    respond(response, 303, "/login", [])
  }
  if (hit.get(digest(`callback ${address}`), at + 60, at, at).hits > 20) return refuse("limited")
  const { device, flow: sealed } = cookiesOf(request.headers.cookie)
  const flow = unseal(sealed)
  const parameters = new URLSearchParams(request.url.slice(request.url.indexOf("?") + 1))
  const states = parameters.getAll("state")
  const isOwn = flow !== undefined && flow.provider === "oidc" && states.length === 1 && states[0] === flow.state
  if (!isOwn || flow.begun + 600 <= at) return refuse("expired")
  if (claim.run(digest(flow.state), at + 600).changes === 0) return refuse("expired")
  const tokens = await OpenId.authorizationCodeGrant(config, new URL(`${redirectUri}?${parameters}`), {
    expectedState: flow.state,
    expectedNonce: digest(flow.verifier),
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true
  })
  const { azp, sub: subject } = tokens.claims()
  if (typeof subject !== "string" || subject === "" || subject.length > 255) return refuse("refused")
  if (azp !== undefined && azp !== "test-client") return refuse("refused")
  const row = find.get(ISSUER, subject)
  if (row === undefined || row.has_factor !== 0) return refuse("unknown")
  const known = unseal(device) ?? { id: random(16), accounts: {} }
  const isNews =
    row.email_verified_at !== null &&
    known.accounts[row.user_id] === undefined &&
    familiar.get(row.user_id, address, agent) === undefined
  if (isNews) count("news")
  const id = random(32)
  if (!begin.immediate({ account: row.user_id, address, agent, at, key: digest(id), subject })) return refuse("expired")
  known.accounts[row.user_id] ??= at
  count("returns signed_in")
  respond(response, 303, "/account", [
    `session=${id}; ${flags}`,
    `flow=; Max-Age=0; ${flags}`,
    `device=${seal(known)}; Max-Age=34560000; ${flags}`
  ])
}

createServer((request, response) => {
  const began = performance.now()
  response.on("finish", () => {
    const { method, url } = request
    const line = { timestamp: new Date().toISOString(), level: "INFO", channel: "request", method }
    const [path] = url.split("?", 1)
    lines.push(
      `${JSON.stringify({ ...line, path, status: response.statusCode, duration: performance.now() - began })}\n`
    )
    count(`requests ${method} ${path} ${response.statusCode}`)
  })
  const work = request.url === "/login/with/oidc" ? start(response) : finish(request, response)
  work.catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    respond(response, 303, "/login", [])
  })
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`)
})
