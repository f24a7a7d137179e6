// What a browser is asked for, as JSON: `PublicKeyCredential.parseCreationOptionsFromJSON` and its sibling read it.
import { Duration } from "effect"
import { challengeTtl, type RelyingParty } from "./PasskeyRules.ts"

/** A stored passkey, as a browser finds it. */
export interface Descriptor {
  readonly type: "public-key"
  /** Base64url, as every binary value here. */
  readonly id: string
  readonly transports: ReadonlyArray<string>
}

/** The options of `navigator.credentials.create`. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: ReadonlyArray<{ readonly type: "public-key"; readonly alg: number }>
  readonly timeout: number
  readonly excludeCredentials: ReadonlyArray<Descriptor>
  readonly authenticatorSelection: {
    readonly residentKey: "required"
    readonly requireResidentKey: true
    readonly userVerification: "required"
  }
  readonly attestation: "none"
}

/** The options of `navigator.credentials.get`. */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: "required"
  /** Empty for a sign-in: the person chooses among the passkeys of the device, and nothing says who has one. */
  readonly allowCredentials: ReadonlyArray<Descriptor>
}

/** Ed25519, ES256 and RS256, the preferred first. */
export const algorithms = [-8, -7, -257] as const

const timeout = Duration.toMillis(challengeTtl)

/** A passkey with the transports that its authenticator named. */
export const descriptor = (id: string, transports: ReadonlyArray<string>): Descriptor => ({
  type: "public-key",
  id,
  transports
})

/** Whose passkey it becomes. */
interface Owner {
  /** An opaque name of the account, which the authenticator keeps. */
  readonly handle: string
  readonly email: string
  readonly existing: ReadonlyArray<Descriptor>
}

/** Asks for a passkey that is found without a name and verifies the person. */
export const creation = ({ id }: RelyingParty, challenge: string, { email, existing, handle }: Owner) =>
  ({
    challenge,
    rp: { id, name: id },
    user: { id: handle, name: email, displayName: email },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    timeout,
    excludeCredentials: existing,
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none"
  }) satisfies CreationOptions

/** Asks for a signature by one of these passkeys; by any of the site when there are none. */
export const request = ({ id }: RelyingParty, challenge: string, allowed: ReadonlyArray<Descriptor> = []) =>
  ({
    challenge,
    rpId: id,
    timeout,
    userVerification: "required",
    allowCredentials: allowed
  }) satisfies RequestOptions
