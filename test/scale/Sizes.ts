// The bytes that an account, a session and an event take, with their indexes.
import { Effect } from "effect"
import * as Rows from "./Rows.ts"
import { database, type Site } from "./Site.ts"

const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
const hash = `$argon2id$v=19$m=65536,t=3,p=1$${"s".repeat(22)}$${"h".repeat(43)}`
const id = "'01a1e343-9350-7728-8d8d-' || lpad(to_hex(n), 12, '0')"
const hex = (bytes: number) => `substr(encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), 1, ${bytes * 2})`
const peer = "'203.0.113.' || n % 256"

/** One row for each number, as the programs write it. */
const seeds: Readonly<Record<string, string>> = {
  users: `INSERT INTO users (id, email, password, email_verified_at, created_at)
    SELECT ${id}, 'person-' || n || '@example.com', '${hash}', 1800000000, 1800000000`,
  sessions: `INSERT INTO sessions (key, user_id, data, version, created_at, last_seen, expires, absolute, peer, user_agent)
    SELECT ${hex(32)}, ${id}, '{"csrf":"' || ${hex(16)} || '"}', 1, 1800000000, 1800000000 + n, 1800007200 + n, 1802592000,
      ${peer}, '${agent}'`,
  trusts: `INSERT INTO trusts (selector, verifier, user_id, expires, created_at)
    SELECT ${hex(8)}, ${hex(32)}, ${id}, 1802592000 + n, 1800000000`,
  tokens: `INSERT INTO tokens (selector, verifier, user_id, purpose, expires, created_at)
    SELECT ${hex(8)}, ${hex(32)}, ${id}, 'verification', 1800086400 + n, 1800000000`,
  security_events: `INSERT INTO security_events (id, user_id, event, outcome, actor, peer, user_agent, details, created_at)
    SELECT ${hex(16)}, ${id}, 'SignedIn', 'success', 'user', ${peer}, '${agent}', '{}', 1800000000 + n`
}

const count = 100_000

/** Fills the tables and prints the bytes of a row of each. */
export const sizes = (site: Site, print: (line: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const url = site.direct(database)
    for (const [table, insert] of Object.entries(seeds)) {
      const before = yield* Rows.count(url, `SELECT count(*) AS count FROM ${table}`)
      yield* Rows.rows(url, `${insert} FROM generate_series(1, ${count}) AS n`)
      yield* Rows.rows(url, `VACUUM ANALYZE ${table}`)
      const [size] = yield* Rows.rows<{ readonly whole: number; readonly heap: number }>(
        url,
        `SELECT pg_total_relation_size('${table}') AS whole, pg_relation_size('${table}') AS heap`
      )
      const rows = before + count
      const each = (bytes = 0) => Math.round(bytes / rows)
      yield* print(`${table.padEnd(16)} ${each(size?.whole)} bytes a row, ${each(size?.heap)} without indexes`)
    }
    return `${count} rows of each table`
  })
