import {
  HttpLayerRouter,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
  Multipart
} from "@effect/platform"
import { SqlError } from "@effect/sql"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Effect, type ParseResult, Schema } from "effect"
import * as Access from "../../../routes/auth/Access.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import type { Checked, UnhandledFailure } from "../../../routes/errors/internal/UnhandledFailure.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as Upload from "../../../routes/session/Upload.ts"
import { InvalidCursor } from "../../../src/pagination/Cursor.ts"
import { Duplicate } from "../../../src/auth/Users.ts"
import * as TestApp from "../../../testing/TestApp.ts"

// The lists are checked by the compiler, which fails on an expected error that does not occur.
const route = <E, R>(failure: Effect.Effect<unknown, E, R>) =>
  HttpLayerRouter.route("POST", "/order", Effect.as(failure, HttpServerResponse.empty()))

class SoldOut extends Schema.TaggedError<SoldOut>()("SoldOut", { cup: Schema.String }) {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("This cup is sold out.", { status: 409 })
  }
}

const Order = Schema.Struct({ cup: Schema.NonEmptyString })
const query = Effect.fail(new SqlError.SqlError({ cause: new Error("no such table"), message: "failed" }))

const upload = Upload.make({ fields: Order, files: { picture: { maxSize: "1 MiB" } } })
const empty = Effect.succeed(HttpServerResponse.empty())
const limit = RateLimit.middleware({ scope: "order", limit: 1, window: "1 second" })

describe("A route", () => {
  it("may fail with what has a response", () => {
    const routes = [
      route(new SoldOut({ cup: "blue" })),
      route(HttpServerRequest.schemaBodyJson(Order)),
      route(HttpServerRequest.schemaSearchParams(Order)),
      route(new Multipart.MultipartError({ reason: "Parse", cause: "" })),
      route(FormState.read(Order)),
      route(FormState.invalid(Order, { status: 409 })),
      route(Upload.read(upload)),
      route(new InvalidCursor({ problem: "content", detail: "" })),
      route(HttpServerResponse.empty({ status: 404 }).pipe(Effect.flip)),
      HttpLayerRouter.route("GET", "/orders", Access.requireUser(limit(empty)))
    ]
    expect(Pipeline.pages(routes)).toHaveLength(routes.length)
    expect(Pipeline.stateless(routes)).toHaveLength(routes.length)
  })

  it("may declare a failure unexpected, or handle it", () => {
    const routes = [
      route(Effect.orDie(query)),
      route(Effect.catchTag(query, "SqlError", Effect.die)),
      route(Effect.catchTag(query, "SqlError", () => new SoldOut({ cup: "blue" })))
    ]
    expect(Pipeline.pages(routes)).toHaveLength(routes.length)
    expect(TestApp.layer(routes)).toBeDefined()
  })

  it("is refused by the compiler with a failure that has no response, wherever routes are mounted", () => {
    const routes = [route(query), route(new SoldOut({ cup: "blue" }))]
    // @ts-expect-error UnhandledFailure<SqlError>
    Pipeline.pages(routes)
    // @ts-expect-error UnhandledFailure<SqlError>
    Pipeline.stateless(routes)
    // @ts-expect-error UnhandledFailure<SqlError>
    TestApp.layer(routes)
    // @ts-expect-error UnhandledFailure<SqlError>
    Pipeline.pages([HttpLayerRouter.route("GET", "/", Access.requireUser(Effect.zipRight(query, empty)))])
    // @ts-expect-error UnhandledFailure<SqlError>
    Pipeline.pages([...AuthRoutes.routes, ...routes])
    // @ts-expect-error UnhandledFailure<Duplicate>
    Pipeline.pages([route(new Duplicate())])
    // @ts-expect-error UnhandledFailure<Error>
    Pipeline.pages([route(Effect.fail(new Error("no")))])
    // @ts-expect-error UnhandledFailure<unknown>
    Pipeline.pages([route(Effect.fail<unknown>("no"))])
  })

  it("shows the failures without a response, and only these, with what to do about them", () => {
    type Refused = Checked<[HttpLayerRouter.Route<SqlError.SqlError | SoldOut | ParseResult.ParseError>]>
    expectTypeOf<Refused>().toEqualTypeOf<UnhandledFailure<SqlError.SqlError>>()
    expectTypeOf<keyof Refused>().toExtend<`${string}HttpServerRespondable${string}Effect.orDie${string}`>()
    expectTypeOf<Checked<[HttpLayerRouter.Route<SoldOut>]>>().toEqualTypeOf<[HttpLayerRouter.Route<SoldOut>]>()
  })
})
