// What sessions, forms and links need to know of the program: its address, its cookie and its lifetimes.
import { Context, type Duration } from "effect"

/** The settings of sessions. `AuthConfig` has them, too, and its layers provide both. */
export interface Settings {
  /** The base URL of every mailed link; never the `Host` header, which the client chooses. */
  readonly appUrl: string
  readonly sessionName: string
  /** How long a session lives without being used. */
  readonly sessionIdle: Duration.Duration
  /** How long a session lives at most. */
  readonly sessionTtl: Duration.Duration
  /** The realm in the `WWW-Authenticate` of a 401. */
  readonly realm: string
}

/** The settings of sessions as a service, read once when the program starts. */
export class SessionConfig extends Context.Tag("effect-framework/session/SessionConfig")<SessionConfig, Settings>() {}
