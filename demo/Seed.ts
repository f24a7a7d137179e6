// The `seed` command: adds the demo's account and articles when they are missing.
import { Command } from "@effect/cli"
import { Console, Effect, Layer } from "effect"
import { CurrentConfig } from "../app/Program.ts"
import * as Argon2Password from "../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../layers/auth/SqlAuthentication.ts"
import * as Auth from "../src/auth/AuthConfig.ts"
import * as Account from "./Account.ts"
import * as ArticlesSeed from "./articles/Seed.ts"

const seed = Effect.gen(function* () {
  const { auth } = yield* CurrentConfig
  const accounts = SqlAuthentication.layerWithoutSweeper().pipe(
    Layer.provide(Argon2Password.layer),
    Layer.provide(Auth.layerWith(auth))
  )
  yield* Effect.provide(Account.seed, accounts)
  yield* ArticlesSeed.run
  yield* Console.log("the demo's account and its articles are there")
})

export const command = Command.make("seed", {}, () => seed).pipe(
  Command.withDescription(`add the account ${Account.email} and 1,000 articles when they are missing`)
)
