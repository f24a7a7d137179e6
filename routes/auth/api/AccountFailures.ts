// The typed failures of the API of accounts, each with its status.
import { HttpApiSchema, type HttpServerError } from "@effect/platform"
import { Effect, Schema } from "effect"
import { HookFailed } from "../../../src/auth/internal/AccountHooks.ts"
import { ConfirmationRequired, Forbidden, Unauthenticated } from "../../../src/auth/AuthError.ts"
import { CsrfMismatch } from "../../../src/session/Csrf.ts"
import { Overloaded } from "../../../src/auth/Password.ts"
import { IdentityTaken } from "../../../src/auth/LinkedIdentities.ts"
import { LastSignInMethod } from "../../../src/auth/SignInMethods.ts"
import { TooManyRequests } from "../../../src/session/RateLimit.ts"
import { InvalidCursor } from "../../../src/pagination/Cursor.ts"
import { InvalidPagination } from "../../../src/pagination/Pagination.ts"
import { InvalidRequest } from "../../../src/http/InvalidRequest.ts"
import type { BodyError } from "../../../src/http/BodyError.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { InvalidForm } from "../../session/FormState.ts"

const text = { error: Schema.String.annotations({ description: "What is wrong, in the language of the request." }) }

/** A field of the payload is invalid, or the e-mail has an account already: 422. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>("effect-framework/auth/InvalidInput")(
  "InvalidInput",
  {
    ...text,
    fields: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
      description: "What is wrong with each field."
    })
  },
  HttpApiSchema.annotations({ status: 422, description: "A field is invalid, or the e-mail has an account already." })
) {
  override get message() {
    return this.error
  }
}

/** An unknown e-mail or a wrong password: 401. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>(
  "effect-framework/auth/InvalidCredentials"
)("InvalidCredentials", text, HttpApiSchema.annotations({ status: 401, description: "E-mail or password is wrong." })) {
  override get message() {
    return this.error
  }
}

/** The token of a link is unknown, used or expired: 410. */
export class InvalidLink extends Schema.TaggedError<InvalidLink>("effect-framework/auth/InvalidLink")(
  "InvalidLink",
  text,
  HttpApiSchema.annotations({ status: 410, description: "The link is invalid, used or expired." })
) {
  override get message() {
    return this.error
  }
}

/** A sign-in that waits for its factor is unknown, expired, used up or revoked: 410. */
export class PendingEnded extends Schema.TaggedError<PendingEnded>("effect-framework/auth/PendingEnded")(
  "PendingEnded",
  text,
  HttpApiSchema.annotations({ status: 410, description: "The sign-in has to begin from the start." })
) {
  override get message() {
    return this.error
  }
}

/** The enrollment of an authenticator app is of another account, used or expired: 410. */
export class EnrollmentExpired extends Schema.TaggedError<EnrollmentExpired>("effect-framework/auth/EnrollmentExpired")(
  "EnrollmentExpired",
  text,
  HttpApiSchema.annotations({ status: 410, description: "The enrollment has to begin from the start." })
) {
  override get message() {
    return this.error
  }
}

/** Another account has the address of the link by now: 409. Only the mailbox of the address can ask. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>("effect-framework/auth/EmailTaken")(
  "EmailTaken",
  text,
  HttpApiSchema.annotations({ status: 409, description: "Another account has this address." })
) {
  override get message() {
    return this.error
  }
}

/** An e-mail without which an operation must not go on could not be sent: 503. */
export class Undelivered extends Schema.TaggedError<Undelivered>("effect-framework/auth/Undelivered")(
  "Undelivered",
  text,
  HttpApiSchema.annotations({ status: 503, description: "The e-mail could not be sent, and nothing was changed." })
) {
  override get message() {
    return this.error
  }
}

/** A provider does not respond: 503. */
export class ProviderDown extends Schema.TaggedError<ProviderDown>("effect-framework/auth/ProviderDown")(
  "ProviderDown",
  text,
  HttpApiSchema.annotations({ status: 503, description: "The provider does not respond." })
) {
  override get message() {
    return this.error
  }
}

/** The failures of other parts. */
export {
  CsrfMismatch as Forged,
  Forbidden as Refused,
  Overloaded as Busy,
  TooManyRequests as Limited,
  Unauthenticated as SignedOut
}

/** What many endpoints declare together: a payload that is validated and limited, also with a password, and a sign-in. */
export const Submission = Schema.Union(InvalidInput, InvalidRequest, TooManyRequests)
export const PasswordSubmission = Schema.Union(InvalidInput, InvalidRequest, TooManyRequests, Overloaded)
export const SignInAttempt = Schema.Union(InvalidCredentials, InvalidInput, InvalidRequest, Forbidden, TooManyRequests)

// A hook may refuse a form with any status.
const typedForm = (invalid: InvalidForm): Effect.Effect<never, InvalidInput | Forbidden> => {
  const { error, fieldErrors: fields, status } = invalid
  if (status === 422) return new InvalidInput({ error, fields })
  return status === 403 ? new Forbidden({ reason: error }) : Effect.die(invalid)
}

const typedFailure = (failure: unknown): Effect.Effect<never, unknown> => {
  if (failure instanceof InvalidForm) return typedForm(failure)
  if (failure instanceof HookFailed) return Effect.catchAll(AccountEvents.refused(failure), typedFailure)
  return isDeclared(failure) ? Effect.fail(failure) : Effect.die(failure)
}

const declared = [
  InvalidInput,
  InvalidCredentials,
  InvalidLink,
  PendingEnded,
  EnrollmentExpired,
  EmailTaken,
  Undelivered,
  ProviderDown,
  IdentityTaken,
  Unauthenticated,
  ConfirmationRequired,
  LastSignInMethod,
  CsrfMismatch,
  Forbidden,
  TooManyRequests,
  Overloaded,
  InvalidCursor,
  InvalidPagination
] as const

const isDeclared = (failure: unknown): boolean => declared.some((kind) => failure instanceof kind)

/** A refusal of credentials: a wrong password, a wrong code, or an account that a provider cannot sign in to. */
export const asCredentials = (invalid: InvalidForm): Effect.Effect<never, InvalidForm | InvalidCredentials> =>
  invalid.status === 401 ? new InvalidCredentials({ error: invalid.error }) : Effect.fail(invalid)

type Typed<E> =
  | Exclude<E, InvalidForm | HookFailed | BodyError | HttpServerError.RouteNotFound>
  | (E extends InvalidForm ? InvalidInput : never)
  | (E extends HookFailed ? Forbidden : never)

/**
 * The failures of an operation as those that its endpoint declares. Any other one, such as a hook's own and a body that is
 * no JSON, has the response that it has on a page.
 */
export const typed = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, Typed<E>, R> =>
  // A boundary of the type system: the classes above are those of `Typed`.
  Effect.catchAll(operation, (failure) => typedFailure(failure) as Effect.Effect<never, Typed<E>>)
