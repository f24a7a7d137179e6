// Many people who are signed in: their rows, written at once, and the cookies that they have.
import { SqlClient } from "@effect/sql"
import { Array, Effect, Option } from "effect"
import { randomBytes } from "node:crypto"
import { sha256 } from "../../layers/session/internal/Digest.ts"
import * as Database from "../../layers/database/Database.ts"
import { parse } from "../../src/database/internal/DatabaseConfig.ts"

/** Four times as many as `SessionRows` remembers. */
export const count = 4096

// A statement has a limited number of parameters.
const batch = 250

/** The cookies of so many new accounts in the migrated database of this address. */
export const signIn = (address: string): Promise<ReadonlyArray<string>> => {
  const url = Option.getOrThrow(parse(address))
  const now = Math.floor(Date.now() / 1000)
  const members = Array.makeBy(count, (index) => {
    const id = randomBytes(32).toString("base64url")
    return { id, user: `member-${index}`, email: `member-${index}@example.com` }
  })
  const write = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const some of Array.chunksOf(members, batch)) {
      const users = some.map(({ email, user }) => ({ id: user, email, password: "none", created_at: now }))
      yield* sql`INSERT INTO users ${sql.insert(users)}`
      const sessions = some.map(({ id, user }) => ({
        key: sha256(id),
        user_id: user,
        data: "{}",
        version: 1,
        created_at: now,
        last_seen: now,
        expires: now + 3600,
        absolute: now + 86_400,
        peer: "127.0.0.1",
        user_agent: ""
      }))
      yield* sql`INSERT INTO sessions ${sql.insert(sessions)}`
    }
    yield* sql`ANALYZE`
  })
  return Effect.runPromise(
    Effect.as(
      Effect.provide(write, Database.layer(url)),
      members.map(({ id }) => `session=${id}`)
    )
  )
}
