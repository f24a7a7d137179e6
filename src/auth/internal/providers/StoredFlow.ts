// The flows of a browser, as its session holds them: a guest's is in a cookie, so that they are few and short.
import { Duration, Option, Schema } from "effect"
import { flowLifetime } from "./ProviderFlows.ts"

/** What a flow may be for. */
export const Purpose = Schema.Literal("sign-in", "link", "confirm")

/** What a flow is for. */
export type Purpose = typeof Purpose.Type

/** A flow that has begun. */
export interface StoredFlow {
  readonly provider: string
  readonly state: string
  readonly verifier: string
  /** Epoch seconds. */
  readonly begun: number
  readonly purpose: Purpose
  /** The account that it is for; empty for a sign-in. */
  readonly account: string
  readonly remember: boolean
  /** The page to return to; empty for the account page. */
  readonly returnTo: string
}

/** What a session has them under. */
export const sessionKey = "flows"

/** How many a browser may have at once. */
export const maxFlows = 6

/**
 * How long their text may be. The cookie of a guest has room for 2,800 characters, and drops the longest of its values first:
 * that is then not this one.
 */
export const maxLength = 1000

/** A longer page to return to stays in the session alone. */
const maxReturn = 200

// Positions in place of names: the text is in a cookie.
const Tuple = Schema.Tuple(
  Schema.String,
  Schema.String,
  Schema.String,
  Schema.Number,
  Purpose,
  Schema.String,
  Schema.Literal(0, 1),
  Schema.String
)

const Text = Schema.parseJson(Schema.Array(Tuple))

const decodeText = Schema.decodeUnknownOption(Text)
const encodeText = Schema.encodeSync(Text)

type Flows = ReadonlyArray<StoredFlow>

/** The flows in a text, the oldest first; none in a text that is not one. */
export const decode = (text: string): Flows =>
  Option.getOrElse(decodeText(text), () => []).map(
    ([provider, state, verifier, begun, purpose, account, remember, returnTo]) => ({
      provider,
      state,
      verifier,
      begun,
      purpose,
      account,
      remember: remember === 1,
      returnTo
    })
  )

/** The text of flows. */
export const encode = (flows: Flows): string =>
  encodeText(
    flows.map(({ account, begun, provider, purpose, remember, returnTo, state, verifier }) => [
      provider,
      state,
      verifier,
      begun,
      purpose,
      account,
      remember ? 1 : 0,
      returnTo
    ])
  )

/** Whether a flow can still be completed. */
export const isLive = ({ begun }: Pick<StoredFlow, "begun">, now: number): boolean =>
  now < begun + Duration.toSeconds(flowLifetime) && begun <= now

/**
 * With one more: the oldest go where there are too many. Where their text is too long, the oldest forget the page to return
 * to, and go only then.
 */
export const add = (flows: Flows, flow: StoredFlow, now: number): Flows => {
  const short = flow.returnTo.length > maxReturn ? { ...flow, returnTo: "" } : flow
  const kept = [...flows.filter((one) => isLive(one, now)), short].slice(-maxFlows)
  const isTooLong = () => kept.length > 1 && encode(kept).length > maxLength
  for (let at = 0; isTooLong() && at < kept.length; at++) kept.splice(at, 1, { ...(kept[at] ?? short), returnTo: "" })
  while (isTooLong()) kept.shift()
  return kept
}

/** Takes the flow of this state out; it counts only for its own provider, and while it lives. */
export const take = (
  flows: Flows,
  { provider, state }: Pick<StoredFlow, "provider" | "state">,
  now: number
): readonly [Option.Option<StoredFlow>, Flows] => {
  const found = flows.find((one) => one.state === state)
  const rest = flows.filter((one) => one !== found && isLive(one, now))
  const isRight = found !== undefined && found.provider === provider && isLive(found, now)
  return [isRight ? Option.some(found) : Option.none(), rest]
}
