// What protects an account is a requirement: a program without it does not compile, and no guard goes without it.
import { type HttpLayerRouter, type HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { describe, expect, it, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Option, Redacted, type Scope, Stream } from "effect"
import { expectTypeOf } from "vitest"
import type * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as FactorCode from "../../../routes/auth/factors/FactorCode.ts"
import type { RememberGuard } from "../../../routes/auth/Authentication.ts"
import * as ScopeAuthentication from "../../../routes/auth/ScopeAuthentication.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as ServerSentEvents from "../../../routes/session/ServerSentEvents.ts"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import * as Mount from "../../../layers/server/Mount.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import type { OpenStreams } from "../../../src/http/internal/OpenStreams.ts"
import * as WebSockets from "../../../routes/session/WebSockets.ts"
import { Csrf } from "../../../src/session/Csrf.ts"
import { LostFactorRequests } from "../../../src/auth/internal/LostFactorRequests.ts"
import type { Factors } from "../../../src/auth/Factors.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { KnownDevices } from "../../../src/auth/internal/KnownDevices.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import * as RefusedPasswords from "../../../src/auth/RefusedPasswords.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import type { AfterResponse } from "../../../src/http/AfterResponse.ts"
import type { Mailer } from "../../../src/mail/Mailer.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Browser, enroll, stores } from "../../layers/auth/Stores.ts"
import { sqlite } from "../../support/Databases.ts"
import { requestStateOf } from "../../support/RequestStates.ts"
import { messages } from "../../support/Serving.ts"
import { send } from "./PipelineRequest.ts"

type NeedsOf<Page extends keyof typeof AuthRoutes.pages> = HttpLayerRouter.Route.Context<
  (typeof AuthRoutes.pages)[Page][number]
>

/** What tells a person that someone else may have their account. */
type Notice = AfterResponse | KnownDevices | Mailer | SecurityEvents | Tokens | Users

describe("A program without a protection does not compile", () => {
  it("where a password is chosen", () => {
    type Needs = RefusedPasswords.RefusedPasswords | Factors | Notice
    expectTypeOf<Extract<NeedsOf<"register">, Needs>>().toEqualTypeOf<Needs>()
    expectTypeOf<Extract<NeedsOf<"reset">, Needs>>().toEqualTypeOf<Needs>()
    expectTypeOf<Extract<NeedsOf<"password">, Needs>>().toEqualTypeOf<Needs>()
  })

  it("where an account signs in or changes, or a device is resumed", () => {
    expectTypeOf<Extract<NeedsOf<"login">, Notice>>().toEqualTypeOf<Notice>()
    expectTypeOf<Extract<NeedsOf<"loginFactor">, Notice>>().toEqualTypeOf<Notice>()
    expectTypeOf<Extract<NeedsOf<"email">, Notice>>().toEqualTypeOf<Notice>()
    expectTypeOf<Extract<Effect.Effect.Context<typeof RememberGuard>, Notice>>().toEqualTypeOf<Notice>()
  })

  it("where the guards of an API are built; the server gives them the work after the response", () => {
    type Needs = Exclude<Notice, AfterResponse>
    expectTypeOf<Extract<Layer.Layer.Context<typeof ApiAuthentication.layer>, Needs>>().toEqualTypeOf<Needs>()
    type Scoped = Layer.Layer.Context<ReturnType<typeof ScopeAuthentication.layer>>
    expectTypeOf<Extract<Scoped, Needs | PendingSignIns>>().toEqualTypeOf<Needs | PendingSignIns>()
  })

  it("where a response stays open: an account and an address have so many of them", () => {
    type Needs = OpenStreams | RequestState
    const events = ServerSentEvents.response(Stream.never)
    const socket = WebSockets.response(() => Effect.void)
    expectTypeOf<Extract<Effect.Effect.Context<typeof events>, Needs>>().toEqualTypeOf<Needs>()
    expectTypeOf<Extract<Effect.Effect.Context<typeof socket>, Needs>>().toEqualTypeOf<Needs>()
  })
})

const app = Pipeline.app(Pipeline.pages(AuthRoutes.routes))

const signUp = Effect.flatMap(TestApp.guest, (guest) =>
  guest.json("POST", "/register", { email: "person@example.com", password: "buttercup" })
)

layer(TestApp.layerOf(app))("RefusedPasswords", (it) => {
  it.effect("refuse a common password", () => Effect.map(signUp, ({ status }) => expect(status).toBe(422)))
})

layer(TestApp.layerOf(app, { services: RefusedPasswords.layerNone }))("RefusedPasswords.layerNone", (it) => {
  it.effect("accepts a common password", () => Effect.map(signUp, ({ status }) => expect(status).toBe(201)))
})

const Scopes = ApiScopes.make({ "notes:read": "Read your notes" })

// A request without these stores: the guard has to bring its own.
const bare = (services: Context.Context<HttpRouter.HttpRouter.Provided>) =>
  Context.omit(Csrf, KnownDevices, PendingSignIns, SecurityEvents, Tokens, Trust, Users)(services)

layer(Layer.merge(stores(sqlite), messages))("Without what is optional", (it) => {
  it.scoped("the guard of a scope signs a remembered device in, with the services of its layer alone", () =>
    Effect.gen(function* () {
      const { email, id } = yield* enroll
      const trust = yield* Trust
      const browser = new Browser()
      browser.jar.set("remember", Redacted.value((yield* trust.issue(id)).value))
      const guards = yield* Layer.build(ScopeAuthentication.layer(Scopes))
      const guard = Context.get(guards, ScopeAuthentication.requires(Scopes, "notes:read"))
      const page = Effect.map(guard.bearer(Redacted.make("")), (found) => HttpServerResponse.text(found.email))
      expect(yield* send(Effect.mapInputContext(page, bare), { browser })).toMatchObject({ status: 200, body: email })
    })
  )

  it.effect("the use of a factor ends a recovery where no worker sends its links", () =>
    Effect.gen(function* () {
      const owner = yield* enroll
      yield* Effect.flatMap(Users, ({ confirm }) => confirm(owner.id))
      const { find, request } = yield* LostFactorRequests
      yield* request({ ...owner, verified: true }, "3 days", { language: "en" })
      expect(Option.isSome(yield* find(owner.id))).toBe(true)
      yield* send(Effect.as(FactorCode.endLostFactorRequest(owner.id), HttpServerResponse.empty()))
      expect(yield* find(owner.id)).toEqual(Option.none())
    })
  )

  it.scoped("a response of an account that stays open dies without the sessions that end it", () =>
    Effect.gen(function* () {
      const exit = yield* ServerSentEvents.response(Stream.never).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(new Request("http://a/"))),
        Effect.provideService(CurrentIdentity, yield* enroll),
        Effect.provideService(RequestState, requestStateOf()),
        Effect.provide(Mount.layerStreams),
        Effect.mapInputContext((services: Context.Context<Scope.Scope>) => Context.omit(Sessions)(services)),
        Effect.exit
      )
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("needs `Sessions`")
    })
  )
})
