// The operations of passkeys and second factors as endpoints: those of the pages.
import { Effect, Redacted } from "effect"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import * as Texts from "../../http/Texts.ts"
import * as AccountFactors from "./AccountFactors.ts"
import { EnrollmentExpired, InvalidInput } from "../api/AccountFailures.ts"
import { asGuarded, saying, withJson } from "../api/AccountOperation.ts"
import * as AccountPasskeys from "../passkeys/AccountPasskeys.ts"
import type { InvalidForm } from "../../session/FormState.ts"

export const passkeys = AccountPasskeys.list.pipe(asGuarded)

// Refused only for an address that is not verified: there is nothing to fill in.
export const passkeyOptions = AccountPasskeys.options.pipe(
  Effect.catchTag("InvalidForm", ({ error }) => new Forbidden({ reason: error })),
  asGuarded
)

export const addPasskey = AccountPasskeys.add.pipe(withJson, asGuarded)

export const renamePasskey = (handle: string) =>
  AccountPasskeys.renameOne(handle).pipe(
    saying(({ passkeys: texts }) => texts.renamed),
    withJson,
    asGuarded
  )

export const removePasskey = (handle: string) =>
  AccountPasskeys.removeOne(handle).pipe(
    saying(({ passkeys: texts }) => texts.removed),
    asGuarded
  )

export const factors = AccountFactors.overview.pipe(asGuarded)

export const beginApp = Effect.map(AccountFactors.begin, ({ enrollment, secret, uri }) => ({
  enrolment: enrollment,
  secret,
  uri
})).pipe(asGuarded)

const codesOf = (codes: ReadonlyArray<string>) => codes.map((code) => Redacted.make(code))

const expired = (invalid: InvalidForm): Effect.Effect<never, InvalidForm | EnrollmentExpired> =>
  invalid.status === 410 ? new EnrollmentExpired({ error: invalid.error }) : Effect.fail(invalid)

export const addApp = AccountFactors.add.pipe(
  Effect.map(({ factor, recoveryCodes }) => ({ factor, recoveryCodes: codesOf(recoveryCodes) })),
  Effect.catchTag("InvalidForm", expired),
  withJson,
  asGuarded
)

export const removeApp = (handle: string) =>
  AccountFactors.removeOne(handle).pipe(
    saying(({ factors: texts }) => texts.removed),
    asGuarded
  )

const withoutFactor = Effect.flatMap(
  Texts.of(AuthTexts),
  ({ factors: { none: error } }) => new InvalidInput({ error, fields: {} })
)

export const renewRecoveryCodes = Effect.flatMap(AccountFactors.renewRecoveryCodes, (codes) =>
  codes.length === 0 ? withoutFactor : Effect.succeed({ recoveryCodes: codesOf(codes) })
).pipe(asGuarded)

// A checkbox has no invalid value.
export const askOnEveryDevice = AccountFactors.choose.pipe(
  Effect.catchTag("InvalidForm", Effect.die),
  saying(({ factors: texts }) => texts.saved),
  withJson,
  asGuarded
)
