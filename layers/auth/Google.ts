// Google as a provider.
import type { Redacted } from "effect"
import * as Claims from "../../src/auth/internal/providers/Claims.ts"
import * as OidcProvider from "./OidcProvider.ts"

/** The settings of Google. */
export interface Options {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * The domains of your own Google Workspace, beside `gmail.com`: Google speaks for their mailboxes, and says by the claim `hd`
   * that an account is one of them. Anyone else can register an address of theirs with Google, too, which then says nothing about
   * its mailbox today.
   */
  readonly authoritativeFor?: ReadonlyArray<string>
  readonly countsSecondFactor?: boolean
  readonly fields?: NonNullable<OidcProvider.Options["fields"]>
}

/** What every Google account shares. Google knows no `max_age`: whoever has its session would confirm without being asked. */
const google = { id: "google", name: "Google", ...Claims.google, asksAgain: false } as const

/**
 * "Sign in with Google". Create the client in the Google Cloud console, with the callback `APP_URL/login/with/google/callback`.
 *
 * @example
 * ```ts
 * import { Redacted } from "effect"
 * import { Google } from "effect-framework/layers/auth"
 *
 * export const google = Google.layer({ clientId: "….apps.googleusercontent.com", clientSecret: Redacted.make("secret") })
 * ```
 */
export const layer = ({ authoritativeFor = [], ...options }: Options) =>
  OidcProvider.layer({ ...options, ...google, authoritativeFor: ["gmail.com", "googlemail.com", ...authoritativeFor] })
