// A flow that a client of the typed API has begun. Its state holds it, sealed, so that it needs neither a row nor a cookie, and
// the code that the browser brings back stands for who the provider says it is.
import { Option, Schema } from "effect"
import * as ReturnTo from "../../../session/internal/ReturnTo.ts"
import type { Person } from "../../Providers.ts"
import { Purpose } from "./StoredFlow.ts"

const Begun = Schema.Struct({
  provider: Schema.String,
  /** The verifier of the flow with the provider, used up by the return. */
  verifier: Schema.String,
  /** Epoch seconds. */
  begun: Schema.Number,
  purpose: Purpose,
  /** The account that it is for; empty for a sign-in. */
  account: Schema.String,
  /** The session or the browser that has begun it; empty for a client that has neither. */
  visit: Schema.String,
  /** Whether the return must come by the browser that has begun it: a client without cookies opens any. */
  isBrowser: Schema.Boolean,
  /** S256 of a text that only the client knows. */
  challenge: Schema.String,
  returnTo: Schema.String
})

/** A flow that has begun. */
export type ApiFlow = typeof Begun.Type

const Told = Schema.Struct({
  issuer: Schema.String,
  subject: Schema.String,
  email: Schema.optional(Schema.String),
  isVerified: Schema.Boolean,
  label: Schema.String,
  hasSecondFactor: Schema.Boolean,
  authenticated: Schema.optional(Schema.Number),
  fields: Schema.Record({ key: Schema.String, value: Schema.String })
})

/** What a code is for: to end the flow, or what has to follow a sign-in. */
const Use = Schema.Literal("sign-in", "link", "confirm", "sign-up", "connect")

/** What a code may be for. */
export type Use = typeof Use.Type

const Returned = Schema.Struct({
  ...Begun.pick("provider", "begun", "account", "visit", "isBrowser", "challenge").fields,
  use: Use,
  person: Told,
  remember: Schema.Boolean
})

/** What a code stands for. */
export interface Returned extends Omit<typeof Returned.Type, "person"> {
  readonly person: Person
}

const BegunText = Schema.parseJson(Begun)
const ReturnedText = Schema.parseJson(Returned)
const decodeReturned = Schema.decodeUnknownOption(ReturnedText)

/** What the state of a flow holds. */
export const encode = Schema.encodeSync(BegunText)
export const decode = Schema.decodeUnknownOption(BegunText)

/** What is stored under a code. */
export const print = Schema.encodeSync(ReturnedText)
export const parse = (text: string): Option.Option<Returned> =>
  Option.map(decodeReturned(text), (found) => {
    const { authenticated, email, ...person } = found.person
    return { ...found, person: { ...person, email, authenticated } }
  })

/** What a program allows of return addresses. */
interface Allowed {
  readonly appUrl: string
  readonly returnUrls: ReadonlyArray<string>
}

/**
 * The address to which the browser brings the code: one that the program lists, exactly. A browser that is bound to its flow
 * may also name a path of this site.
 */
export const returnTo = (given: string, { appUrl, returnUrls }: Allowed, isBrowser: boolean): string | undefined => {
  if (returnUrls.includes(given)) return given
  return isBrowser && ReturnTo.parse(given) !== undefined ? `${appUrl}${given}` : undefined
}

/** The address with one more parameter. */
export const withParameter = (address: string, name: "code" | "error", value: string): string => {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}
