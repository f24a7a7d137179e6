// Accounts as a part of an `HttpApi`: sign-up, sign-in and what a person does with their account, by the rules of the pages.
import type { Profile } from "../../src/auth/Profile.ts"
import { accountOf } from "./api/AccountSchemas.ts"
import * as AccountsGroup from "./api/AccountsGroup.ts"

export type {
  EmailTaken,
  EnrollmentExpired,
  InvalidCredentials,
  InvalidInput,
  InvalidLink,
  PendingEnded,
  ProviderDown,
  Undelivered
} from "./api/AccountFailures.ts"

export { layer } from "./api/AccountsHandlers.ts"

/** The endpoints, for a program without profiles: `HttpApi.make("shop").add(AccountsApi.group).prefix("/api")`. */
export const group = AccountsGroup.plain

/** The endpoints with the fields of a profile, typed: a sign-up takes those that a visitor chooses, `me` returns all. */
export const groupWith = <A, S>({ schemas }: Profile<A, S>) =>
  AccountsGroup.make(schemas.signUp, accountOf(schemas.profile))
