// The settings of authentication, from the environment.
import { Config, Context, Duration, Effect, Layer } from "effect"
import * as Setting from "../server/Setting.ts"
import * as CookiePolicy from "./CookiePolicy.ts"
import * as Password from "./Password.ts"
import * as Tokens from "./Tokens.ts"
import * as Trust from "./Trust.ts"

/** What authentication can be told; a program gives those that differ from `defaults`. */
export interface Values {
  /** The base of every link that is mailed; never the `Host` header. */
  readonly appUrl: string
  readonly verificationTtl: Duration.Duration
  readonly recoveryTtl: Duration.Duration
  readonly rememberName: string
  readonly rememberTtl: Duration.Duration
  /** How long the validator just before the current one is a lost race and no theft. */
  readonly rememberGrace: Duration.Duration
  readonly sessionName: string
  /** How long a session lives without being used. */
  readonly sessionIdle: Duration.Duration
  /** How long a session lives at most. */
  readonly sessionTtl: Duration.Duration
  readonly argon2: Password.Policy
  /** How many passwords are hashed at once; nothing leaves it to the machine's cores. */
  readonly hashConcurrency: number | undefined
  /** How many more may wait for that. */
  readonly hashQueue: number
}

/** The settings as a service, read once when the program starts. */
export class Settings extends Context.Tag("auth/Settings")<Settings, Values>() {}

/** What holds where nothing is said. */
export const defaults: Values = {
  appUrl: "http://localhost:8087",
  verificationTtl: Duration.seconds(86400),
  recoveryTtl: Tokens.lifetime,
  rememberName: "remember",
  rememberTtl: Trust.lifetime,
  rememberGrace: Duration.zero,
  sessionName: "session",
  sessionIdle: Duration.seconds(7200),
  sessionTtl: Duration.seconds(2592000),
  argon2: Password.policy,
  hashConcurrency: undefined,
  hashQueue: 20
}

const year = 31_536_000

const seconds = (name: string, fallback: Duration.Duration, min = 1): Config.Config<Duration.Duration> =>
  Config.map(Setting.integer(name, Duration.toSeconds(fallback), { min, max: 10 * year }), Duration.seconds)

const cookieName = (name: string, fallback: string): Config.Config<string> =>
  Setting.of(name, fallback, {
    expected: "a cookie name",
    parse: (text) => (CookiePolicy.isName(text) ? text : undefined)
  })

const { floor } = Password

/** Every variable with its default; a malformed one fails with a line that names it. */
export const config: Config.Config<Values> = Config.all({
  appUrl: Setting.baseUrl("APP_URL", defaults.appUrl),
  verificationTtl: seconds("AUTH_VERIFICATION_TTL", defaults.verificationTtl),
  recoveryTtl: seconds("AUTH_RECOVERY_TTL", defaults.recoveryTtl),
  rememberName: cookieName("AUTH_REMEMBER_NAME", defaults.rememberName),
  rememberTtl: seconds("AUTH_REMEMBER_TTL", defaults.rememberTtl),
  rememberGrace: seconds("AUTH_REMEMBER_GRACE", defaults.rememberGrace, 0),
  sessionName: cookieName("AUTH_SESSION_NAME", defaults.sessionName),
  sessionIdle: seconds("AUTH_SESSION_IDLE", defaults.sessionIdle),
  sessionTtl: seconds("AUTH_SESSION_TTL", defaults.sessionTtl),
  argon2: Config.all({
    memory: Setting.integer("AUTH_ARGON2_MEMORY", defaults.argon2.memory, { min: floor.memory, max: 4 * 1024 * 1024 }),
    time: Setting.integer("AUTH_ARGON2_TIME", defaults.argon2.time, { min: floor.time, max: 100 })
  }),
  hashConcurrency: Config.map(Setting.integer("AUTH_HASH_CONCURRENCY", 0, { min: 1, max: 1024 }), (permits) =>
    permits === 0 ? undefined : permits
  ),
  hashQueue: Setting.integer("AUTH_HASH_QUEUE", defaults.hashQueue, { min: 0, max: 10_000 })
})

/** The settings of the environment. */
export const layer = Layer.effect(
  Settings,
  Effect.suspend(() => config)
)

/** The defaults, but for these. */
export const layerWith = (values: Partial<Values>): Layer.Layer<Settings> =>
  Layer.succeed(Settings, { ...defaults, ...values })
