// Accounts that can sign in, and the stores that know them.
import argon2 from "argon2"
import Sqlite from "better-sqlite3"
import { Effect, Layer, ManagedRuntime, Option } from "effect"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as Database from "../../layers/database/Database.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as TrustedProxies from "../../layers/session/TrustedProxies.ts"
import * as AuthConfig from "../../src/auth/AuthConfig.ts"
import type { Password } from "../../src/auth/Password.ts"
import { defaultPolicy } from "../../src/auth/internal/passwords/PasswordHash.ts"
import { parse } from "../../src/database/internal/DatabaseConfig.ts"
import { RequestStates } from "../../src/http/internal/RequestState.ts"

const accounts = 2000
export const password = "a password that is right"
export const cost = {
  type: argon2.argon2id,
  memoryCost: defaultPolicy.memory,
  timeCost: defaultPolicy.time,
  parallelism: 1
} as const

// One hash for all of them: a hash does not know whose it is.
export const seed = async (file: string): Promise<void> => {
  const hash = await argon2.hash(password, cost)
  const database = new Sqlite(file, { timeout: 5000 })
  const insert = database.prepare("INSERT INTO users (id, email, password, created_at) VALUES (?, ?, ?, 0)")
  database.transaction(() => {
    for (let index = 0; index < accounts; index++) insert.run(`bench-${index}`, `account-${index}@example.com`, hash)
  })()
  database.close()
}

/** The stores on a file, with this hasher. */
export const runtime = (file: string, hasher: Layer.Layer<Password, never, AuthConfig.AuthConfig>) => {
  const url = Option.getOrThrow(parse(`file:${file}`))
  return ManagedRuntime.make(
    SqlAuthentication.layerWithoutSweeper().pipe(
      Layer.provideMerge(hasher),
      Layer.provideMerge(AuthConfig.layerWith({})),
      Layer.provideMerge(TrustedProxies.layerWith([])),
      Layer.provideMerge(Layer.provideMerge(Migrations.layer, Database.layer(url)))
    )
  )
}

/** The state of a sign-in. */
export const state = Effect.map(RequestStates, (states) =>
  states.open({ method: "POST", url: "/login", headers: {}, remoteAddress: "127.0.0.1", route: "/login" })
)
