// Checks what an authenticator has signed. The library is loaded with the first passkey.
import type * as Library from "@simplewebauthn/server"
import { Effect, Option } from "effect"
import { algorithms } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import type { Assertion, Attestation } from "../../../src/auth/internal/passkeys/PasskeyResponse.ts"
import type { RelyingParty } from "../../../src/auth/internal/passkeys/PasskeyRules.ts"

/** What a response has to be about. */
interface Expected {
  readonly site: RelyingParty
  readonly challenge: string
}

/** A passkey that was made for this site by a verified person. */
interface Attested {
  readonly id: string
  readonly publicKey: string
  readonly counter: number
  /** Whether it may be copied to a provider, which never changes, and whether it was. */
  readonly isEligible: boolean
  readonly isSynced: boolean
}

/** A signature of this passkey by a verified person. */
export type Asserted = Pick<Attested, "counter" | "isEligible" | "isSynced">

// Kept: the import of a module that is there takes as long as a third of a verification, and a promise suspends the fiber.
let loaded: typeof Library | undefined
const library = Effect.suspend(() =>
  loaded === undefined
    ? Effect.promise(async () => (loaded = await import("@simplewebauthn/server")))
    : Effect.succeed(loaded)
)

// It throws for whatever is wrong, and a client can send anything.
const refused = <A>(check: () => Promise<Option.Option<A>>): Effect.Effect<Option.Option<A>> =>
  Effect.catchAll(Effect.tryPromise(check), ({ error }) =>
    Effect.as(Effect.logDebug("A passkey was refused", error), Option.none<A>())
  )

/** The passkey in a response; `None` when its origin, its site, its challenge or its flags are not as expected. */
export const verifyAttestation = ({ challenge, site }: Expected, { response, ...credential }: Attestation) =>
  Effect.flatMap(library, ({ verifyRegistrationResponse }) =>
    refused(async (): Promise<Option.Option<Attested>> => {
      const { transports, ...attested } = response
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...credential, response: { ...attested, transports: [...transports] }, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: [...algorithms]
      })
      if (registrationInfo === undefined) return Option.none()
      const { credential: made, credentialBackedUp: isSynced, credentialDeviceType } = registrationInfo
      // The name that a browser gives it must be the one that the authenticator has chosen.
      if (made.id !== credential.id) return Option.none()
      return Option.some({
        id: made.id,
        publicKey: Buffer.from(made.publicKey).toString("base64url"),
        counter: made.counter,
        isEligible: credentialDeviceType === "multiDevice",
        isSynced
      })
    })
  )

/** What a signature says; `None` when it is not one of this key over this challenge, or nobody was verified. */
export const verifyAssertion = ({ challenge, site }: Expected, { response, ...credential }: Assertion, key: string) =>
  Effect.flatMap(library, ({ verifyAuthenticationResponse }) =>
    refused(async (): Promise<Option.Option<Asserted>> => {
      const { userHandle, ...signed } = response
      const { authenticationInfo, verified } = await verifyAuthenticationResponse({
        response: {
          ...credential,
          response: { ...signed, ...(typeof userHandle === "string" && { userHandle }) },
          clientExtensionResults: {}
        },
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: true,
        // The caller compares the counters: a copied passkey is told apart from a wrong signature.
        credential: { id: credential.id, publicKey: new Uint8Array(Buffer.from(key, "base64url")), counter: 0 }
      })
      if (!verified) return Option.none()
      const { credentialBackedUp: isSynced, credentialDeviceType, newCounter: counter } = authenticationInfo
      return Option.some({ counter, isEligible: credentialDeviceType === "multiDevice", isSynced })
    })
  )
