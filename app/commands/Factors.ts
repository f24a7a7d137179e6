// The `factors` command: removes the second factors of a person whose identity the operator has proved.
import { Args, Command, Options } from "@effect/cli"
import { Clock, Console, Duration, Effect, Layer, Option } from "effect"
import * as Argon2Password from "../../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"
import * as AuthConfig from "../../src/auth/AuthConfig.ts"
import { LostFactorRequests } from "../../src/auth/internal/LostFactorRequests.ts"
import { Factors } from "../../src/auth/Factors.ts"
import type { Identity } from "../../src/session/Identity.ts"
import { Passkeys } from "../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../src/auth/SecurityEvents.ts"
import { Sessions } from "../../src/session/Session.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import { english } from "../../src/http/Languages.ts"
import * as Words from "../../src/http/internal/text/Words.ts"
import * as LinkMessage from "../../src/mail/internal/LinkMessage.ts"
import { MailTemplates } from "../../src/mail/MailTemplates.ts"
import * as Mailer from "../../src/mail/Mailer.ts"
import { group, type RunOnTables } from "./Work.ts"

const ttl = Duration.days(7)

const tell = Effect.fnUntraced(function* ({ email, id, verified }: Identity) {
  const { appUrl: base, notifications } = yield* AuthConfig.AuthConfig
  // An address that nobody has proved may be a stranger's.
  if (!notifications || !verified) return
  const tokens = yield* Tokens
  const { render } = yield* MailTemplates
  const message = Effect.gen(function* () {
    const { value: token } = yield* Effect.orDie(tokens.mint(id, "not_me", ttl))
    const seen = Words.moment(new Date(yield* Clock.currentTimeMillis), english.locale)
    return yield* LinkMessage.compose(render, "factorRemoved", { to: email, base, token, ttl, seen })
  })
  yield* Mailer.sendOrLog(message)
})

/**
 * Removes the authenticator apps and recovery codes of the account of this e-mail, and its passkeys where that is asked; its
 * sessions and remembered devices end.
 */
export const remove = Effect.fnUntraced(function* (email: string, withPasskeys: boolean) {
  const users = yield* Users
  const found = yield* users.fetch(email)
  if (Option.isNone(found)) {
    yield* Console.error(`No account has the e-mail ${email}`)
    return 1
  }
  const { id } = found.value
  const events = yield* SecurityEvents
  const apps = yield* Effect.flatMap(Factors, (factors) => factors.removeAll(id))
  const keys = withPasskeys ? yield* Effect.flatMap(Passkeys, (passkeys) => passkeys.removeAll(id)) : 0
  yield* Effect.flatMap(LostFactorRequests, (recoveries) => recoveries.cancel(id))
  // Whoever took the account over may be signed in. After the factors: a sign-in by one of them at this moment ends as well.
  yield* Effect.flatMap(Trust, (trust) => trust.revoke(id))
  const ended = yield* Effect.flatMap(Sessions, (sessions) => sessions.revoke(id))
  if (apps > 0)
    yield* events.record({ account: id, event: { _tag: "FactorRemoved", factor: "totp" }, actor: "operator" })
  if (keys > 0) {
    yield* events.record({ account: id, event: { _tag: "FactorRemoved", factor: "passkey" }, actor: "operator" })
  }
  if (apps + keys > 0) yield* tell(found.value)
  yield* Console.log(
    `removed ${apps} authenticator apps and ${keys} passkeys of ${found.value.email}, ended ${ended} sessions`
  )
  return 0
})

const emailArgument = Args.text({ name: "email" })

const passkeysOption = Options.boolean("passkeys").pipe(Options.withDescription("remove the passkeys too"))

/** `factors remove EMAIL [--passkeys]`. */
export const command = <E>(run: RunOnTables<E>) =>
  group("factors", "manage the second factors of accounts", [
    Command.make("remove", { email: emailArgument, passkeys: passkeysOption }, ({ email, passkeys }) =>
      run(({ auth, mail }, tables) => {
        const stores = SqlAuthentication.layerWithoutSweeper({ tables }).pipe(
          Layer.provide(Argon2Password.layer),
          Layer.provideMerge(AuthConfig.layerWith(auth))
        )
        return Effect.provide(
          remove(email, passkeys),
          Layer.merge(stores, ConfiguredMailer.layerWith(mail, { tables }))
        )
      })
    ).pipe(
      Command.withDescription(
        "remove the authenticator apps and recovery codes of an account, once its owner has proved who they are"
      )
    )
  ])
