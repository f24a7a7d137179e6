// The ways in of an account, counted in the tables that hold them.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Providers } from "../../../src/auth/Providers.ts"
import { LastSignInMethod, SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { canSignIn } from "../../../src/auth/internal/WaysIn.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as Tables from "../../database/Tables.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import * as Revocations from "../../session/internal/Revocations.ts"

/** How many ways in there are of an issuer; passkeys have none. */
interface Counted {
  readonly issuer: string | null
  readonly ways: unknown
}

const make = Effect.fnUntraced(function* ({ linkedIdentities, passkeys, revocations: revoked }: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const users = yield* Users
  const { all } = yield* Providers
  const revocations = yield* Revocations.make(revoked)
  const transaction = Transaction.make(sql)

  const counted = PreparedStatements.reader(
    yield* PreparedStatements.orPlain,
    (user: string, same: string) => sql<Counted>`SELECT issuer, COUNT(*) AS ways FROM ${sql(linkedIdentities)}
      WHERE user_id = ${user} GROUP BY issuer
      UNION ALL SELECT NULL, COUNT(*) FROM ${sql(passkeys)} WHERE user_id = ${same}`,
    ["", ""]
  )

  const list = Effect.fnUntraced(function* (user: AccountId) {
    const password = yield* users.passwordState(user)
    const rows = yield* Effect.orDie(counted(user, user))
    // By what a sign-in finds them: an id may be renamed.
    const issuers = new Set<string | null>((yield* all).map(({ issuer }) => issuer))
    const waysOf = (isCounted: (issuer: string | null) => boolean) =>
      rows.reduce((sum, { issuer, ways }) => (isCounted(issuer) ? sum + Number(ways) : sum), 0)
    return {
      password,
      passkeys: waysOf((issuer) => issuer === null),
      identities: waysOf((issuer) => issuers.has(issuer)),
      former: waysOf((issuer) => issuer !== null && !issuers.has(issuer))
    }
  })

  const remove = <A, E, R>(user: AccountId, removal: Effect.Effect<A, E, R>) =>
    transaction(
      Effect.gen(function* () {
        // Holds the row of the user until the end: of two removals at once, the second counts what the first has left. A
        // removal may revoke.
        yield* revocations.hold(user)
        const result = yield* removal
        return canSignIn(yield* list(user)) ? result : yield* new LastSignInMethod({})
      })
    )

  return yield* Tracing.methods("SignInMethods", SignInMethods.of({ list, remove }))
})

/** The ways in, in the tables that the migrations create. */
export const layerWith = ({ tables = Tables.defaults }: { readonly tables?: Tables.Tables } = {}): Layer.Layer<
  SignInMethods,
  never,
  SqlClient.SqlClient | Providers | Users
> => Layer.effect(SignInMethods, make(tables))
