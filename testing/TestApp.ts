// Routes on a real server with everything that the framework's routes need, for the scope of a test: a fresh database,
// passwords without hashing, messages and exceptions in memory. Its clock is the test's clock.
import { openBearer } from "../src/session/internal/SessionGrants.ts"
import type { HttpApi, HttpApiGroup, HttpLayerRouter } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import { Clock, Duration, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import * as AuthenticatorApp from "../layers/auth/internal/AuthenticatorApp.ts"
import { Factors } from "../src/auth/Factors.ts"
import { stepOf } from "../src/auth/internal/factors/FactorRules.ts"
import * as Argon2Password from "../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../layers/auth/SqlAuthentication.ts"
import * as SqlJobs from "../layers/jobs/SqlJobs.ts"
import type * as Migrations from "../layers/database/Migrations.ts"
import * as Tables from "../layers/database/Tables.ts"
import * as TrustedProxies from "../layers/session/TrustedProxies.ts"
import * as TemporaryUploads from "../layers/session/TemporaryUploads.ts"
import * as NodeProcessInfo from "../layers/observability/NodeProcessInfo.ts"
import * as SqlReadiness from "../layers/database/SqlReadiness.ts"
import * as WorkerObservability from "../layers/observability/WorkerObservability.ts"
import * as DuplicateRoute from "../layers/server/internal/DuplicateRoute.ts"
import type { HttpApp } from "../layers/server/internal/HttpApp.ts"
import * as WebServer from "../layers/server/WebServer.ts"
import * as Sockets from "../layers/server/Sockets.ts"
import * as AuthPaths from "../routes/auth/internal/AuthPaths.ts"
import * as Confirmation from "../routes/auth/confirmation/Confirmation.ts"
import * as AuthRoutes from "../routes/auth/AuthRoutes.ts"
import type { Checked } from "../routes/errors/internal/UnhandledFailure.ts"
import * as Assets from "../routes/http/Assets.ts"
import * as Pipeline from "../routes/server/Pipeline.ts"
import * as Telemetry from "../routes/observability/Telemetry.ts"
import type { AccountId } from "../src/session/Identity.ts"
import type * as Password from "../src/auth/Password.ts"
import { minimumPolicy } from "../src/auth/internal/passwords/PasswordHash.ts"
import * as ForwardedFor from "../src/session/internal/ForwardedFor.ts"
import * as AuthConfig from "../src/auth/AuthConfig.ts"
import { Profiles } from "../src/auth/Profile.ts"
import { Sessions } from "../src/session/Session.ts"
import { Users } from "../src/auth/Users.ts"
import * as Environment from "../src/config/Environment.ts"
import * as Sources from "../src/errors/Sources.ts"
import * as ErrorPages from "../src/errors/ErrorPages.ts"
import * as DefaultLayout from "../src/http/DefaultLayout.ts"
import * as HealthChecks from "../src/observability/HealthChecks.ts"
import * as RequestEvents from "../src/observability/RequestEvents.ts"
import { ServerAddress } from "../src/server/ServerAddress.ts"
import * as ApiClient from "./ApiClient.ts"
import * as CountedAfterResponse from "./CountedAfterResponse.ts"
import * as InsecurePassword from "./InsecurePassword.ts"
import * as MemoryMailer from "./MemoryMailer.ts"
import * as MemoryReporters from "./MemoryReporters.ts"
import * as SingleProcessFleet from "./SingleProcessFleet.ts"
import * as TemporaryDatabase from "./TemporaryDatabase.ts"
import * as TemporaryFolder from "./TemporaryFolder.ts"
import * as TestClient from "./TestClient.ts"
import * as WorkCounter from "./WorkCounter.ts"

export type { WorkCounter } from "./WorkCounter.ts"

/** What differs from the defaults: tables, services, settings, environment, hashing. */
export interface Options<ROut = never, E = never, RIn = never> {
  /** The program's own tables. */
  readonly migrations?: Migrations.Migrations
  /** The services of the program's own routes; they may use the database and everything else here. */
  readonly services?: Layer.Layer<ROut, E, RIn>
  readonly settings?: Partial<AuthConfig.Settings>
  readonly environment?: Environment.Name
  /** `plain` costs nothing; `argon2` is the real thing at its lowest cost. */
  readonly hashing?: "plain" | "argon2" | Layer.Layer<Password.Password>
  /** A database other than a fresh SQLite file, such as `PgClient.layer(…)`. */
  readonly database?: Layer.Layer<SqlClient.SqlClient, unknown>
  /** The framework's tables, as the program passes them to `AppLayer.layer`. */
  readonly tables?: Tables.Tables
}

/**
 * Not where the server listens: a link that starts with anything else was made from the request.
 *
 * @example
 * ```ts
 * import { expect, layer } from "@effect/vitest"
 * import { Effect } from "effect"
 * import { CapturedMail, TestApp } from "effect-framework/testing"
 *
 * layer(TestApp.layer([]))("The e-mail after a registration", (it) => {
 *   it.effect("has a link to the program", () =>
 *     Effect.gen(function* () {
 *       const guest = yield* TestApp.guest
 *       const password = "quiet harbour"
 *       yield* guest.submit("/register", { email: "ann@example.com", password, password_confirmation: password })
 *       const { messagesTo } = yield* CapturedMail.CapturedMail
 *       const [message] = yield* messagesTo("ann@example.com")
 *       expect(message?.text).toContain(`${TestApp.appUrl}/verify/`)
 *     })
 *   )
 * })
 * ```
 */
export const appUrl = "https://app.example"

const requests = (environment: Environment.Name) =>
  Layer.mergeAll(
    TrustedProxies.layerWith(ForwardedFor.parseTrusted("127.0.0.1") ?? []),
    Environment.layerWith(environment),
    Sources.layerNone,
    ErrorPages.layerNone,
    MemoryReporters.layer,
    WorkCounter.layer
  )

const observability = Layer.mergeAll(Telemetry.layer, NodeProcessInfo.layer, SqlReadiness.layer).pipe(
  Layer.provideMerge(SingleProcessFleet.layer),
  Layer.provideMerge(WorkerObservability.layerWith({ collectors: false })),
  Layer.provideMerge(Layer.mergeAll(RequestEvents.layer, Sockets.layer, HealthChecks.layer))
)

const hasherOf = (hashing: NonNullable<Options["hashing"]>) => {
  if (hashing === "argon2") return Argon2Password.layer
  return hashing === "plain" ? InsecurePassword.layer : hashing
}

const uploads = Layer.unwrapEffect(
  Effect.map(TemporaryFolder.TemporaryFolder, (folder) => TemporaryUploads.layer(join(folder, "uploads")))
)

// Resuming a session waits for other tabs in real time: a test without tabs skips that.
const hold = Duration.zero

/** Everything but the server and the program's own services. */
const framework = ({ environment = "test", hashing = "plain", migrations, settings, ...stored }: Options) =>
  CountedAfterResponse.layer.pipe(
    Layer.provideMerge(SqlJobs.layerWith({ tables: stored.tables ?? Tables.defaults })),
    Layer.provideMerge(
      SqlAuthentication.layerWithoutSweeper({ tables: stored.tables ?? Tables.defaults, trust: { hold } })
    ),
    Layer.provideMerge(Layer.mergeAll(MemoryMailer.layer, DefaultLayout.layer({ name: "Test" }), observability)),
    Layer.provideMerge(hasherOf(hashing)),
    Layer.provideMerge(AuthConfig.layerWith({ appUrl, argon2: minimumPolicy, ...settings })),
    Layer.provideMerge(Layer.merge(requests(environment), uploads)),
    Layer.provideMerge(TemporaryDatabase.layer(migrations, stored))
  )

// A boundary of the type system: without services all three types are `never`.
const none = Layer.empty as Layer.Layer<unknown>

/** A program that is complete already: `Pipeline.app(…)`. Its sign-in page is where the framework's is. */
export const layerOf = <R, ROut = never, E = never, RIn = never>(
  app: HttpApp<R>,
  { services = none, ...options }: Options<ROut, E, RIn> = {}
) =>
  WebServer.layer(app, { host: "127.0.0.1", port: 0 }).pipe(
    Layer.provideMerge(services as Layer.Layer<ROut, E, RIn>),
    Layer.provideMerge(framework(options))
  )

type Routes = ReadonlyArray<HttpLayerRouter.Route<unknown, unknown>>

type Piped = ReadonlyArray<HttpLayerRouter.Route<never, unknown>>

/** Routes beside the pages. */
export interface More<Others extends Piped> {
  /** Routes that `Pipeline` has prepared, such as `Pipeline.api(Api)`. */
  readonly routes?: Others
}

// A boundary of the type system: a list of different routes is a list of one kind that needs what all of them need.
const united = <Others extends Piped>(routes: Piped) =>
  routes as ReadonlyArray<HttpLayerRouter.Route<never, HttpLayerRouter.Route.Context<Others[number]>>>

/**
 * These routes, as pages, and those of authentication where they are not among them.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { expect, layer } from "@effect/vitest"
 * import { Effect } from "effect"
 * import { Access } from "effect-framework/routes/auth"
 * import { Respond } from "effect-framework/routes/session"
 * import { TestApp } from "effect-framework/testing"
 *
 * const tea = Access.requireUser(Effect.succeed(Respond.text("Tea")))
 *
 * layer(TestApp.layer([HttpLayerRouter.route("GET", "/tea", tea)]))("GET /tea", (it) => {
 *   it.effect("serves users who are signed in", () =>
 *     Effect.gen(function* () {
 *       const ann = yield* TestApp.signedInUser()
 *       expect((yield* ann.get("/tea")).body).toBe("Tea")
 *     })
 *   )
 * })
 * ```
 */
export const layer = <
  const Given extends Routes,
  ROut = never,
  E = never,
  RIn = never,
  const Others extends Piped = []
>(
  routes: Checked<Given>,
  { routes: others, ...options }: Options<ROut, E, RIn> & More<Others> = {}
) => {
  const own = [...Pipeline.pages<Given>(routes), ...united<Others>(others ?? [])]
  const app = Pipeline.app([
    ...own,
    ...DuplicateRoute.others(Pipeline.pages(AuthRoutes.routes), own),
    ...DuplicateRoute.others(Pipeline.stateless(Assets.routes(DefaultLayout.assets)), own)
  ])
  return layerOf(app, options)
}

/** A user with an account. */
export interface TestUser {
  readonly id: AccountId
  readonly email: string
  readonly password: string
}

/**
 * A client that is signed in as this user.
 *
 * @example
 * ```ts
 * import type { TestApp } from "effect-framework/testing"
 *
 * export const book = (client: TestApp.SignedInClient, room: string) =>
 *   client.submit("/bookings", { room, guest: client.user.email })
 * ```
 */
export interface SignedInClient extends TestClient.TestClient {
  readonly user: TestUser
}

/** A client that is not signed in. */
export const guest: Effect.Effect<TestClient.TestClient, never, ServerAddress> = Effect.map(ServerAddress, ({ url }) =>
  TestClient.make(url)
)

/** What a new user has; what is not given is made up, and the address is verified. */
export interface Wanted {
  readonly email?: string
  readonly password?: string
  readonly verified?: boolean
  /** The whole profile, in a program that has profiles; checked by its schema. */
  readonly profile?: Readonly<Record<string, unknown>>
}

const enrollmentOf = Effect.fnUntraced(function* (profile: NonNullable<Wanted["profile"]>) {
  const profiles = yield* Effect.serviceOption(Profiles)
  if (Option.isNone(profiles)) return yield* Effect.dieMessage("A profile needs SqlProfile.layer among the services.")
  const { definition, enrollment } = profiles.value
  return enrollment(yield* definition.encode(profile))
})

/** A new user with an account and, by default, a verified address. */
export const enrolledUser = Effect.fnUntraced(function* ({ profile, verified = true, ...given }: Wanted = {}) {
  const users = yield* Users
  const chance = randomBytes(4).toString("hex")
  const { email = `person-${chance}@example.com`, password = `quiet harbour ${chance}` } = given
  const enrollment = profile === undefined ? {} : yield* enrollmentOf(profile)
  const id = yield* Effect.orDie(users.enroll(email, Redacted.make(password), enrollment))
  if (verified) yield* users.confirm(id)
  const user: TestUser = { id, email, password }
  return user
})

// One that is there already, or a new one.
const userOf = (given: TestUser | Wanted | undefined) =>
  given !== undefined && "id" in given ? Effect.succeed(given) : enrolledUser(given)

/**
 * A client that has signed in through the sign-in page, as this user or as a new one:
 * `TestApp.signedInUser({ profile: { display_name: "Ann", role: "admin" } })`.
 */
export const signedInUser = Effect.fnUntraced(function* (given?: TestUser | Wanted) {
  const user = yield* userOf(given)
  const client = yield* guest
  const { email, password } = user
  const { body, status } = yield* client.submit(AuthPaths.signIn, { email, password })
  if (status !== 303) return yield* Effect.dieMessage(`Signing in ${email} returned ${status}: ${body.slice(0, 500)}`)
  const member: SignedInClient = { ...client, user }
  return member
})

/** The authenticator app of a user. */
export interface TestAuthenticatorApp {
  /** The code that it shows now. A code works once: move the `TestClock` by 30 seconds for the next one. */
  readonly code: Effect.Effect<string>
  readonly recoveryCodes: ReadonlyArray<string>
}

/** Gives this user an authenticator app, and with it recovery codes. */
export const authenticatorApp = Effect.fnUntraced(function* ({ email, id }: TestUser) {
  const factors = yield* Factors
  const { enrollment, secret } = yield* factors.begin({ id, email, verified: true })
  const codeIn = (steps: number) =>
    Effect.map(Clock.currentTimeMillis, (millis) =>
      AuthenticatorApp.codeAt(Redacted.value(secret), Math.max(0, stepOf(millis / 1000) + steps))
    )
  // The code of the step before is accepted, too: the one of this step is left for the test.
  const { recoveryCodes } = yield* Effect.orDie(
    factors.confirm(id, enrollment, Redacted.make(yield* codeIn(-1)), "Test")
  )
  const app: TestAuthenticatorApp = { code: codeIn(0), recoveryCodes: recoveryCodes.map(Redacted.value) }
  return app
})

/** A client with a session without cookies: each of its requests has the bearer of this user, or of a new one. */
export const bearerUser = Effect.fnUntraced(function* (given?: TestUser | Wanted) {
  const user = yield* userOf(given)
  const identity = yield* Effect.flatten(Effect.flatMap(Users, ({ findById }) => findById(user.id))).pipe(Effect.orDie)
  const { [openBearer]: open } = yield* Sessions
  const { secret } = yield* Effect.orDie(
    Effect.flatten(open(identity, undefined, undefined, yield* Confirmation.initial()))
  )
  const client = yield* guest
  client.headers.set("authorization", `Bearer ${Redacted.value(secret)}`)
  const member: SignedInClient = { ...client, user }
  return member
})

/**
 * The client that Effect derives from an API, with the cookies, headers and address of this client or of a guest:
 * `TestApp.apiClient(Api, yield* TestApp.signedInUser())`.
 */
export const apiClient = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  client?: TestClient.TestClient
) => Effect.flatMap(client === undefined ? guest : Effect.succeed(client), (one) => ApiClient.make(api, one))
