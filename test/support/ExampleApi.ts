// An API with every kind of endpoint that the document of an API must describe: parameters, bodies, several statuses, a
// guard of one group and a guard of the whole API.
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Context, Effect, Layer, Ref, Schema } from "effect"
import * as ApiAuthentication from "../../routes/auth/ApiAuthentication.ts"
import * as ApiHandlers from "../../routes/server/ApiHandlers.ts"
import * as RateLimit from "../../src/session/RateLimit.ts"
import { CurrentIdentity, Identity } from "../../src/session/Identity.ts"
import { TooManyRequests } from "../../src/session/RateLimit.ts"
import { DatabaseUnavailable } from "../../src/database/internal/DatabaseUnavailable.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"

export class TeaNotFound extends Schema.TaggedError<TeaNotFound>()(
  "TeaNotFound",
  { id: Schema.Number },
  HttpApiSchema.annotations({ status: 404, description: "There is no such tea." })
) {}

export class TeaTaken extends Schema.TaggedError<TeaTaken>()(
  "TeaTaken",
  { name: Schema.String },
  HttpApiSchema.annotations({ status: 409 })
) {}

const TeaId = Schema.NumberFromString.pipe(Schema.int(), Schema.positive())

class Draft extends Schema.Class<Draft>("Draft")({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(60)).annotations({ examples: ["Assam"] }),
  origin: Schema.optional(Schema.Literal("india", "china", "kenya")),
  price: Schema.Number.pipe(Schema.greaterThan(0)),
  tags: Schema.optional(Schema.Array(Schema.String))
}) {}

export class Tea extends Schema.Class<Tea>("Tea")({
  id: Schema.Int,
  ...Draft.fields,
  note: Schema.NullOr(Schema.String),
  added: Schema.DateFromString,
  anything: Schema.Unknown
}) {}

const teas = HttpApiGroup.make("teas")
  .add(
    HttpApiEndpoint.get("list", "/teas")
      .setUrlParams(
        Schema.Struct({
          origin: Schema.optional(Schema.Literal("india", "china", "kenya")),
          limit: Schema.optional(TeaId)
        })
      )
      .addSuccess(Schema.Array(Tea))
      .annotate(OpenApi.Summary, "All teas")
  )
  .add(
    HttpApiEndpoint.get("read", "/teas/:id")
      .setPath(Schema.Struct({ id: TeaId }))
      .addSuccess(Tea)
      .addError(TeaNotFound)
  )
  .add(
    HttpApiEndpoint.post("add", "/teas")
      .setPayload(Draft)
      .addSuccess(Tea, { status: 201 })
      .addError(TeaTaken)
      .addError(TooManyRequests, { status: 429 })
      .middleware(ApiAuthentication.ApiAuthentication)
  )
  .add(
    HttpApiEndpoint.put("change", "/teas/:id")
      .setPath(Schema.Struct({ id: TeaId }))
      .setPayload(Draft)
      .addSuccess(Tea)
      .addError(TeaNotFound)
      .middleware(ApiAuthentication.ApiAuthentication)
  )
  .add(
    HttpApiEndpoint.del("remove", "/teas/:id")
      .setPath(Schema.Struct({ id: TeaId }))
      .addError(TeaNotFound)
      .middleware(ApiAuthentication.ApiAuthentication)
  )
  .annotate(OpenApi.Description, "What can be poured.")

export const TeaApi = HttpApi.make("teas").add(teas).prefix("/api").annotate(OpenApi.Title, "Teas")

// Another schema under a name that the first API has.
const Draft2 = Schema.Struct({ draft: Schema.Boolean }).annotations({ identifier: "Draft" })

const guarded = HttpApiGroup.make("guarded")
  .add(HttpApiEndpoint.get("me", "/me").addSuccess(Identity))
  .add(HttpApiEndpoint.get("draft", "/draft").addSuccess(Draft2))

/** Guarded as a whole. */
export const MeApi = HttpApi.make("me").add(guarded).prefix("/api").middleware(ApiAuthentication.ApiAuthentication)

/** What the next request meets in place of the handler. */
export class Fault extends Context.Tag("effect-framework/test/Fault")<
  Fault,
  Ref.Ref<"none" | "defect" | "unavailable" | "limit">
>() {}

export const layerFault = Layer.effect(Fault, Ref.make<"none" | "defect" | "unavailable" | "limit">("none"))

const meet = Effect.gen(function* () {
  const fault = yield* Ref.getAndSet(yield* Fault, "none")
  if (fault === "defect") return yield* Effect.dieMessage("a secret of the program")
  if (fault === "unavailable")
    return yield* Effect.die(new DatabaseUnavailable({ database: "teas", reason: "a secret of the program" }))
  return fault
})

const tea = (id: number, draft: Partial<typeof Draft.Type> = {}) =>
  new Tea({ id, name: "Assam", price: 3.5, tags: [], note: null, added: new Date(0), anything: 1, ...draft })

const find = Effect.fnUntraced(function* (id: number) {
  yield* meet
  return id === 404 ? yield* new TeaNotFound({ id }) : tea(id)
})

const teaHandlers = HttpApiBuilder.group(TeaApi, "teas", (handlers) =>
  handlers
    .handle("list", () => Effect.as(meet, [tea(1), tea(2)]))
    .handle("read", ({ path: { id } }) => find(id))
    .handle("add", ({ payload }) =>
      Effect.gen(function* () {
        const fault = yield* meet
        const state = yield* Effect.serviceOption(RequestState)
        if (fault === "limit" && state._tag === "Some") {
          const rule = { scope: "teas", limit: 1, window: "1 minute" } as const
          const spend = Effect.provideService(RateLimit.spend(rule, "teas"), RequestState, state.value)
          yield* Effect.zipRight(spend, spend)
        }
        return payload.name === "taken" ? yield* new TeaTaken({ name: payload.name }) : tea(3, payload)
      })
    )
    .handle("change", ({ path: { id }, payload }) => Effect.map(find(id), () => tea(id, payload)))
    .handle("remove", ({ path: { id } }) => Effect.asVoid(find(id)))
)

const meHandlers = HttpApiBuilder.group(MeApi, "guarded", (handlers) =>
  handlers
    .handle("me", () => Effect.zipRight(meet, Effect.orDie(currentIdentity)))
    .handle("draft", () => Effect.as(meet, { draft: true }))
)

// A boundary: Effect's types do not carry what the guard of a whole API provides.
const currentIdentity = Effect.serviceOptional(CurrentIdentity)

/** The handlers of both APIs, over the accounts of the program. */
export const layer = Layer.mergeAll(
  Layer.provide(ApiHandlers.layer(TeaApi), teaHandlers),
  Layer.provide(ApiHandlers.layer(MeApi), meHandlers)
).pipe(Layer.provide(ApiAuthentication.layer), Layer.provideMerge(layerFault))
