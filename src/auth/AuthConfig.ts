// The settings of authentication, from the environment.
import { Config, ConfigError, Context, Duration, Effect, Either, Layer, Schema } from "effect"
import * as StartupLine from "../config/internal/StartupLine.ts"
import * as ServerConfig from "../config/internal/ServerConfig.ts"
import * as Setting from "../config/internal/Setting.ts"
import { appUrlOn, defaultAppUrl } from "../session/internal/RequestOrigin.ts"
import * as CookiePolicy from "../session/internal/CookiePolicy.ts"
import type { Policy } from "./Password.ts"
import { defaultPolicy, minimumPolicy } from "./internal/passwords/PasswordHash.ts"
import { minCharacters } from "../session/internal/FormSentences.ts"
import * as ReturnTo from "../session/internal/ReturnTo.ts"
import * as SeriesState from "./internal/SeriesState.ts"
import { SessionConfig, type Settings as SessionSettings } from "../session/internal/SessionConfig.ts"
import * as Expiry from "./internal/Expiry.ts"
import { defaultRealm, isRealm } from "../http/internal/Authorization.ts"
import { rememberScope } from "../session/internal/CookiePolicy.ts"

export type { SessionConfig } from "../session/internal/SessionConfig.ts"

/** The settings of authentication; a program gives those that differ from the defaults. */
export interface Settings extends SessionSettings {
  readonly verificationTtl: Duration.Duration
  readonly recoveryTtl: Duration.Duration
  readonly rememberName: string
  /** Below which path a browser sends the remember cookie. */
  readonly rememberPath: string
  /** To which domain, with all below it, a browser sends the remember cookie; `undefined` is the host alone. */
  readonly rememberDomain: string | undefined
  readonly rememberTtl: Duration.Duration
  /** How long the previous validator counts as a concurrent request and not as theft. */
  readonly rememberGrace: Duration.Duration
  /** How long a confirmation counts, and a sign-in with the password. */
  readonly confirmationTtl: Duration.Duration
  /** How long a deletion waits in which its owner can keep the account. */
  readonly deletionGrace: Duration.Duration
  /** How long a recovery after the loss of every factor waits, in which it can be stopped; an hour at least. */
  readonly factorRecoveryDelay: Duration.Duration
  readonly argon2: Policy
  /** How many passwords are hashed at once; `undefined` derives it from the machine's cores. */
  readonly hashConcurrency: number | undefined
  /** How many more may wait in the queue. */
  readonly hashQueue: number
  /** The shortest password that may be chosen, in characters. */
  readonly passwordMin: number
  /** The shortest one for an account without a second factor, where that is longer. */
  readonly passwordMinWithoutFactor: number
  /** Whether a chosen password is looked up in the corpus of leaked ones at api.pwnedpasswords.com. */
  readonly breachedPasswords: boolean
  /** How long security events are kept. */
  readonly eventsTtl: Duration.Duration
  /** The addresses to which a browser may bring the code of a sign-in with a provider, for clients of the API; exact. */
  readonly returnUrls: ReadonlyArray<string>
  /** Whether a person gets an e-mail after a change of their account and a sign-in from a new device. */
  readonly notifications: boolean
}

/**
 * A setting given in code is out of its bounds.
 *
 * @example
 * ```ts
 * import { Duration, Effect, Layer } from "effect"
 * import { AuthConfig } from "effect-framework/auth"
 *
 * // The settings of one shop, from a file of its own.
 * export const settings = (file: { readonly url: string; readonly idleMinutes: number }) =>
 *   AuthConfig.layerWith({ appUrl: file.url, sessionIdle: Duration.minutes(file.idleMinutes) }).pipe(
 *     Layer.tapError(({ reason, setting }: AuthConfig.InvalidAuthConfig) =>
 *       Effect.logError(`The file of the shop: ${setting} ${reason}`)
 *     )
 *   )
 * ```
 */
export class InvalidAuthConfig extends Schema.TaggedError<InvalidAuthConfig>("effect-framework/auth/InvalidAuthConfig")(
  "InvalidAuthConfig",
  {
    /** The name of the option, such as `argon2.memory`. */
    setting: Schema.String,
    reason: Schema.String
  }
) {
  get [StartupLine.symbol](): string {
    return "a-setting-in-code"
  }
  override get message(): string {
    return `The authentication setting ${this.setting} ${this.reason}`
  }
}

/** The settings as a service, read once when the program starts. */
export class AuthConfig extends Context.Tag("effect-framework/auth/AuthConfig")<AuthConfig, Settings>() {}

const defaults: Settings = {
  appUrl: defaultAppUrl,
  verificationTtl: Duration.seconds(86400),
  recoveryTtl: Expiry.tokenLifetime,
  rememberName: "remember",
  rememberPath: CookiePolicy.wholeSite.path,
  rememberDomain: CookiePolicy.wholeSite.domain,
  rememberTtl: SeriesState.lifetime,
  rememberGrace: Duration.zero,
  sessionName: "session",
  sessionIdle: Duration.seconds(7200),
  sessionTtl: Duration.seconds(2592000),
  confirmationTtl: Duration.seconds(600),
  deletionGrace: Duration.seconds(1_209_600),
  factorRecoveryDelay: Duration.hours(72),
  realm: defaultRealm,
  argon2: defaultPolicy,
  hashConcurrency: undefined,
  hashQueue: 20,
  passwordMin: minCharacters,
  passwordMinWithoutFactor: minCharacters,
  breachedPasswords: false,
  eventsTtl: Duration.days(400),
  returnUrls: [],
  notifications: true
}

const year = 31_536_000

const minimumDelay = Duration.toSeconds(Expiry.minimumDelay)

const seconds = (name: string, fallback: Duration.Duration, min = 1): Config.Config<Duration.Duration> =>
  Config.map(Setting.integer(name, Duration.toSeconds(fallback), { min, max: 10 * year }), Duration.seconds)

const characters = (name: string, fallback: number): Config.Config<number> =>
  Setting.integer(name, fallback, { min: minCharacters, max: 128 })

// Each is written into a header: characters that end a header value early are refused at startup.
const texts = {
  name: { expected: "a cookie name", isValid: CookiePolicy.isName },
  path: { expected: "a path such as /app, without blanks and semicolons", isValid: CookiePolicy.isPath },
  domain: { expected: "a domain name such as example.com", isValid: CookiePolicy.isDomain },
  realm: { expected: "up to 200 printable ASCII characters without quotes and backslashes", isValid: isRealm }
}

const text = <A extends string | undefined>(kind: keyof typeof texts, name: string, fallback: A) => {
  const { expected, isValid } = texts[kind]
  return Setting.of<string | A>(name, fallback, { expected, parse: (given) => (isValid(given) ? given : undefined) })
}

const returnUrl = {
  expected: "https addresses, or such as com.example.app:/signed-in, without a fragment",
  isValid: ReturnTo.isListable
}

// A malformed `PORT` is reported with the settings of the server.
const appUrl = Config.map(
  Config.all([Setting.baseUrl("APP_URL", undefined), Config.orElse(ServerConfig.port, () => Config.succeed(0))]),
  ([given, port]) => given ?? appUrlOn(port)
)

const variables: Config.Config<Settings> = Config.all({
  appUrl,
  verificationTtl: seconds("AUTH_VERIFICATION_TTL", defaults.verificationTtl),
  recoveryTtl: seconds("AUTH_RECOVERY_TTL", defaults.recoveryTtl),
  rememberName: text("name", "AUTH_REMEMBER_NAME", defaults.rememberName),
  rememberPath: text("path", "AUTH_REMEMBER_PATH", defaults.rememberPath),
  rememberDomain: text("domain", "AUTH_REMEMBER_DOMAIN", defaults.rememberDomain),
  rememberTtl: seconds("AUTH_REMEMBER_TTL", defaults.rememberTtl),
  rememberGrace: seconds("AUTH_REMEMBER_GRACE", defaults.rememberGrace, 0),
  sessionName: text("name", "AUTH_SESSION_NAME", defaults.sessionName),
  sessionIdle: seconds("AUTH_SESSION_IDLE", defaults.sessionIdle),
  sessionTtl: seconds("AUTH_SESSION_TTL", defaults.sessionTtl),
  confirmationTtl: seconds("AUTH_CONFIRMATION_TTL", defaults.confirmationTtl),
  deletionGrace: seconds("AUTH_DELETION_GRACE", defaults.deletionGrace, 0),
  factorRecoveryDelay: seconds("AUTH_FACTOR_RECOVERY_DELAY", defaults.factorRecoveryDelay, minimumDelay),
  realm: text("realm", "AUTH_REALM", defaults.realm),
  argon2: Config.all({
    memory: Setting.integer("AUTH_ARGON2_MEMORY", defaults.argon2.memory, {
      min: minimumPolicy.memory,
      max: 4 * 1024 * 1024
    }),
    time: Setting.integer("AUTH_ARGON2_TIME", defaults.argon2.time, { min: minimumPolicy.time, max: 100 })
  }),
  hashConcurrency: Config.map(Setting.integer("AUTH_HASH_CONCURRENCY", 0, { min: 1, max: 1024 }), (permits) =>
    permits === 0 ? undefined : permits
  ),
  hashQueue: Setting.integer("AUTH_HASH_QUEUE", defaults.hashQueue, { min: 0, max: 10_000 }),
  passwordMin: characters("AUTH_PASSWORD_MIN", defaults.passwordMin),
  passwordMinWithoutFactor: characters("AUTH_PASSWORD_MIN_WITHOUT_FACTOR", defaults.passwordMinWithoutFactor),
  breachedPasswords: Setting.flag("AUTH_BREACHED_PASSWORDS", defaults.breachedPasswords),
  eventsTtl: seconds("AUTH_EVENTS_TTL", defaults.eventsTtl),
  returnUrls: Setting.of("AUTH_RETURN_URLS", defaults.returnUrls, {
    expected: returnUrl.expected,
    parse: (given) => {
      const all = given.split(",").map((one) => one.trim())
      return all.every(returnUrl.isValid) ? all : undefined
    }
  }),
  notifications: Setting.flag("AUTH_NOTIFICATIONS", defaults.notifications)
})

// With one name for both, each cookie would overwrite the other and nobody could stay signed in.
const sharedName = ({ rememberName, sessionName }: Settings) =>
  ConfigError.InvalidData(
    ["AUTH_REMEMBER_NAME"],
    `AUTH_REMEMBER_NAME is ${JSON.stringify(rememberName)} and AUTH_SESSION_NAME is ${JSON.stringify(sessionName)}, ` +
      "expected two different cookie names"
  )

const invalidHostPrefix = ({ rememberName }: Settings) =>
  ConfigError.InvalidData(
    ["AUTH_REMEMBER_NAME"],
    `AUTH_REMEMBER_NAME is ${JSON.stringify(rememberName)}, expected a name without __Host- where ` +
      "AUTH_REMEMBER_PATH or AUTH_REMEMBER_DOMAIN is set"
  )

const services = (values: Settings): Context.Context<AuthConfig | SessionConfig> =>
  Context.make(AuthConfig, values).pipe(Context.add(SessionConfig, values))

/**
 * Every variable with its default; a malformed one fails with a line that names it.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { AuthConfig } from "effect-framework/auth"
 *
 * // The settings of the environment, with one that the program decides itself.
 * export const layer = Layer.unwrapEffect(
 *   Effect.map(AuthConfig.config, (settings) => AuthConfig.layerWith({ ...settings, notifications: false }))
 * )
 * ```
 */
export const config: Config.Config<Settings> = Config.mapOrFail(variables, (values) => {
  if (values.rememberName === values.sessionName) return Either.left(sharedName(values))
  return CookiePolicy.fits(values.rememberName, rememberScope(values))
    ? Either.right(values)
    : Either.left(invalidHostPrefix(values))
})

/**
 * The settings of the environment.
 *
 * @example
 * ```ts
 * import { Console, Effect } from "effect"
 * import { AuthConfig } from "effect-framework/auth"
 *
 * const printed = Effect.flatMap(AuthConfig.AuthConfig, ({ appUrl }) => Console.log(`Links in e-mails lead to ${appUrl}`))
 *
 * export const program = Effect.provide(printed, AuthConfig.layer)
 * ```
 */
export const layer = Layer.effectContext(
  Effect.map(
    Effect.suspend(() => config),
    services
  )
)

interface Rule {
  readonly setting: string
  readonly of: (values: Settings) => number | string | undefined
  readonly isValid: (value: unknown, values: Settings) => boolean
  readonly expected: string
}

const atLeast = (setting: string, min: number, of: Rule["of"]): Rule => ({
  setting,
  of,
  isValid: (value) => Number.isSafeInteger(value) && Number(value) >= min,
  expected: `a whole number of at least ${min}`
})

const lifetime = (setting: keyof Settings & `${string}${"Ttl" | "Idle" | "Grace" | "Delay"}`, min: number): Rule => ({
  setting,
  of: (values) => Duration.toSeconds(values[setting]),
  isValid: (value) => Number.isFinite(value) && Number(value) >= min,
  expected: `at least ${min} seconds`
})

type Text = "rememberName" | "rememberPath" | "rememberDomain" | "sessionName" | "realm"

const textRule = (setting: Text, kind: keyof typeof texts): Rule => ({
  setting,
  of: (values) => values[setting],
  isValid: (value) => (value === undefined ? kind === "domain" : texts[kind].isValid(String(value))),
  expected: texts[kind].expected
})

// The bounds of the variables, applied to the same settings given in code.
const rules: ReadonlyArray<Rule> = [
  {
    setting: "appUrl",
    of: ({ appUrl }) => appUrl,
    isValid: (value) => Setting.anyBaseUrl.parse(String(value)) !== undefined,
    expected: Setting.anyBaseUrl.expected
  },
  atLeast("argon2.memory", minimumPolicy.memory, ({ argon2 }) => argon2.memory),
  atLeast("argon2.time", minimumPolicy.time, ({ argon2 }) => argon2.time),
  atLeast("hashConcurrency", 1, ({ hashConcurrency }) => hashConcurrency ?? 1),
  atLeast("hashQueue", 0, ({ hashQueue }) => hashQueue),
  atLeast("passwordMin", minCharacters, ({ passwordMin }) => passwordMin),
  atLeast("passwordMinWithoutFactor", minCharacters, (values) => values.passwordMinWithoutFactor),
  lifetime("verificationTtl", 1),
  lifetime("recoveryTtl", 1),
  lifetime("rememberTtl", 1),
  lifetime("rememberGrace", 0),
  lifetime("sessionIdle", 1),
  lifetime("sessionTtl", 1),
  lifetime("eventsTtl", 1),
  lifetime("confirmationTtl", 1),
  lifetime("deletionGrace", 0),
  lifetime("factorRecoveryDelay", minimumDelay),
  textRule("sessionName", "name"),
  textRule("rememberName", "name"),
  textRule("rememberPath", "path"),
  textRule("rememberDomain", "domain"),
  textRule("realm", "realm"),
  {
    setting: "returnUrls",
    of: ({ returnUrls }) => returnUrls.find((one) => !returnUrl.isValid(one)),
    isValid: (value) => value === undefined,
    expected: returnUrl.expected
  },
  {
    setting: "rememberName",
    of: ({ rememberName }) => rememberName,
    isValid: (value, { sessionName }) => value !== sessionName,
    expected: "another name than sessionName"
  },
  {
    setting: "rememberName",
    of: ({ rememberName }) => rememberName,
    isValid: (_value, values) => CookiePolicy.fits(values.rememberName, rememberScope(values)),
    expected: "a name without __Host- beside rememberPath or rememberDomain"
  }
]

/** Fails for the first setting that is out of its bounds: a weaker hash than the floor, a cookie name used twice. */
const validate = (values: Settings): Either.Either<Settings, InvalidAuthConfig> => {
  for (const { expected, isValid, of, setting } of rules) {
    const value = of(values)
    if (isValid(value, values)) continue
    const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 200)) : String(value)
    return Either.left(new InvalidAuthConfig({ setting, reason: `is ${shown}, expected ${expected}` }))
  }
  return Either.right({ ...values, appUrl: Setting.withoutSlashes(values.appUrl) })
}

/** The defaults with these settings replaced. */
export const layerWith = (values: Partial<Settings>): Layer.Layer<AuthConfig | SessionConfig, InvalidAuthConfig> =>
  Layer.effectContext(
    Effect.map(
      Effect.suspend(() => validate({ ...defaults, ...values })),
      services
    )
  )
