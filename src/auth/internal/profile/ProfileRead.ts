// The profile of a request: read once, whoever asks for it.
import { Effect, Option } from "effect"
import { RequestState, type State } from "../../../http/internal/RequestState.ts"
import type { AccountId } from "../../../session/Identity.ts"
import type { Row } from "./ProfileRow.ts"

// A property on the exchange, as the session is: the handler and the layout share the read.
const slot: unique symbol = Symbol("effect-framework/auth/Profile")

type Held = State & { [slot]?: { readonly user: AccountId; readonly row: Option.Option<Row> } | undefined }

interface Store {
  readonly read: (user: AccountId) => Effect.Effect<Option.Option<Row>>
}

/** The row of an account, read once for each request. */
export const readOnce = ({ read }: Store, user: AccountId): Effect.Effect<Option.Option<Row>, never, RequestState> =>
  Effect.flatMap(RequestState, (exchange: Held) => {
    const held = exchange[slot]
    if (held?.user === user) return Effect.succeed(held.row)
    return Effect.tap(read(user), (row) => {
      exchange[slot] = { user, row }
    })
  })

/** The next read of this request asks the store again. */
export const forget: Effect.Effect<void> = Effect.map(
  Effect.serviceOption(RequestState),
  (exchange: Option.Option<Held>) => {
    if (Option.isSome(exchange)) exchange.value[slot] = undefined
  }
)
