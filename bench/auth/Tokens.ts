// Tokens minted and redeemed a second, on both databases.
import { Effect, Layer, ManagedRuntime, Option } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlTokens from "../../layers/auth/SqlTokens.ts"
import * as Database from "../../layers/database/Database.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import { AccountId } from "../../src/session/Identity.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { parse } from "../../src/database/internal/DatabaseConfig.ts"
import * as PostgresServer from "../../test/support/PostgresServer.ts"
import type { Options } from "../Options.ts"
import type { Row } from "../Row.ts"

const atOnce = 8

const pair = (user: AccountId) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const { value } = yield* tokens.mint(user, "recovery")
    const owner = yield* tokens.redeem(value, "recovery")
    if (Option.isNone(owner)) return yield* Effect.dieMessage("a fresh token was not redeemed")
  })

const rate = async (address: string, seconds: number): Promise<number> => {
  const url = Option.getOrThrow(parse(address))
  const runtime = ManagedRuntime.make(
    SqlTokens.layer.pipe(Layer.provide(Layer.provideMerge(Migrations.layer, Database.layer(url))))
  )
  const count = (user: AccountId) =>
    Effect.gen(function* () {
      const until = performance.now() + seconds * 1000
      let done = 0
      for (; performance.now() < until; done++) yield* pair(user)
      return done
    })
  try {
    const users = Array.from({ length: atOnce }, (_, index) => AccountId.make(`user-${index}`))
    await runtime.runPromise(Effect.forEach(users, pair))
    const began = performance.now()
    const counts = await runtime.runPromise(Effect.forEach(users, count, { concurrency: "unbounded" }))
    const total = counts.reduce((sum, done) => sum + done, 0)
    return (total * 1000) / (performance.now() - began)
  } finally {
    await runtime.dispose()
  }
}

const row = (engine: string, ours: number): Row => ({
  subject: `token minted and redeemed, ${engine}`,
  ours,
  peer: undefined,
  unit: "pairs/s",
  ratio: ours,
  bar: undefined,
  better: "higher"
})

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const seconds = quick ? 1 : 5
  const folder = mkdtempSync(join(tmpdir(), "bench-tokens-"))
  const server = await PostgresServer.start()
  try {
    return [
      row("SQLite", await rate(`file:${join(folder, "tokens.sqlite")}`, seconds)),
      row("PostgreSQL", await rate(`${server.address}/postgres`, seconds))
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
