// What an authenticator app and the server share: a secret, the code of each step, and the address that a QR code contains.
import { HOTP, Secret, TOTP } from "otpauth"
import { renderSVG } from "uqr"
import { codeDigits, stepSeconds } from "../../../src/auth/internal/factors/FactorRules.ts"
import { equal } from "../../../src/session/internal/SplitToken.ts"

/** Random bytes of a secret: as many as the hash has, as RFC 4226 recommends. */
export const secretBytes = 20

/** The secret in base 32. */
export const printSecret = (bytes: Uint8Array): string => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32

/** The code of a step. */
export const codeAt = (secret: string, step: number): string =>
  HOTP.generate({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: codeDigits, counter: step })

/** The steps, among these, whose code this is. All of them are computed, so that timing does not reveal which. */
export const matchingSteps = (secret: string, code: string, steps: ReadonlyArray<number>): ReadonlyArray<number> =>
  steps.filter((step) => equal(code, codeAt(secret, step)))

/** The address that authenticator apps read. */
export const addressOf = (secret: string, issuer: string, label: string): string =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: codeDigits,
    period: stepSeconds
  }).toString()

/** The address as a QR code. Its colours are its own: dark on light is what cameras expect. */
export const pictureOf = (address: string): string => renderSVG(address, { border: 4, pixelSize: 4, ecc: "M" })
