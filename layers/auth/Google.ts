// Google as a provider.
import type { Redacted } from "effect"
import * as OidcProvider from "./OidcProvider.ts"

/** The settings of Google. */
export interface Options {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * The domains of your own Google Workspace, beside `gmail.com`: Google speaks for their mailboxes. An address at any other
   * domain can have a Google account, too, and says nothing about its mailbox today.
   */
  readonly authoritativeFor?: ReadonlyArray<string>
  readonly countsSecondFactor?: boolean
  readonly fields?: NonNullable<OidcProvider.Options["fields"]>
}

/** What every Google account shares. Google knows no `max_age`: whoever has its session would confirm without being asked. */
const google = { id: "google", name: "Google", issuer: "https://accounts.google.com", asksAgain: false } as const

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
