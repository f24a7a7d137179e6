// What the API token of a request may do, and for how long.
import { Effect, Option } from "effect"
import { RequestState, type State } from "../../http/internal/RequestState.ts"

/** What a token grants to the request that came with it. */
interface Grant {
  readonly scopes: ReadonlySet<string>
  /** Tells whether the token is still valid. */
  readonly isValid: Effect.Effect<boolean>
}

// A request comes with one token at most: unlike the account, the grant is a fact of the whole request.
const grants = new WeakMap<State, Grant>()

/** Notes what the token of this request grants. */
export const grant = (state: State, granted: Grant): void => void grants.set(state, granted)

/** What the token of this request grants; `undefined` where a session or nobody is behind it. */
export const current: Effect.Effect<Grant | undefined> = Effect.map(Effect.serviceOption(RequestState), (state) =>
  Option.isSome(state) ? grants.get(state.value) : undefined
)
