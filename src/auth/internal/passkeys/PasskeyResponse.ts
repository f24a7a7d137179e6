// What a browser returns for a passkey, as JSON text: `JSON.stringify(credential)`. Nothing in it is trusted yet.
import { Encoding, Either, Option, Schema } from "effect"

/** Characters of the whole text: more than the longest attestation, and short enough to parse at once. */
const maxLength = 65_536

const text = (max: number) => Schema.String.pipe(Schema.maxLength(max))

const binary = (max: number) => text(max).pipe(Schema.pattern(/^[A-Za-z0-9_-]+$/))

// The specification allows 1,023 bytes.
const Id = binary(1364)

const common = { id: Id, rawId: Id, type: Schema.Literal("public-key") }

const Attestation = Schema.Struct({
  ...common,
  response: Schema.Struct({
    clientDataJSON: binary(maxLength),
    attestationObject: binary(maxLength),
    transports: Schema.optionalWith(
      Schema.Array(text(20).pipe(Schema.pattern(/^[a-z-]+$/))).pipe(Schema.maxItems(10)),
      {
        default: () => []
      }
    )
  })
})

const Assertion = Schema.Struct({
  ...common,
  response: Schema.Struct({
    clientDataJSON: binary(maxLength),
    authenticatorData: binary(maxLength),
    signature: binary(maxLength),
    /** Absent or `null` from an authenticator that was told which passkey to use. */
    userHandle: Schema.optional(Schema.NullOr(text(128)))
  })
})

/** A new passkey. */
export type Attestation = typeof Attestation.Type

/** A signature by a passkey. */
export type Assertion = typeof Assertion.Type

const parser = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(Schema.parseJson(schema))
  return (given: string): Option.Option<A> => (given.length > maxLength ? Option.none() : decode(given))
}

/** The new passkey in a text; `None` for any other text. */
export const parseAttestation = parser(Attestation)

/** The signature in a text; `None` for any other text. */
export const parseAssertion = parser(Assertion)

const ClientData = Schema.Struct({ challenge: text(512), crossOrigin: Schema.optional(Schema.Boolean) })

const decodeClientData = Schema.decodeUnknownOption(Schema.parseJson(ClientData))

/** The challenge that a response answers; `None` when it names none, or was made in a frame on another site. */
export const challengeOf = (clientDataJSON: string): Option.Option<string> =>
  Encoding.decodeBase64UrlString(clientDataJSON).pipe(
    Either.getRight,
    Option.flatMap(decodeClientData),
    Option.filter(({ crossOrigin }) => crossOrigin !== true),
    Option.map(({ challenge }) => challenge)
  )
