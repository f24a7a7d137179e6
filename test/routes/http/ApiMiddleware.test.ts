import { expect, it } from "@effect/vitest"
import { HttpApiMiddleware, HttpApiSecurity, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Redacted, Schema } from "effect"
import * as ApiMiddleware from "../../../routes/http/internal/api/ApiMiddleware.ts"

class Who extends Context.Tag("test/Who")<Who, string>() {}
class Outer extends HttpApiMiddleware.Tag<Outer>()("test/Outer", { failure: Schema.String, provides: Who }) {}
class Inner extends HttpApiMiddleware.Tag<Inner>()("test/Inner", { failure: Schema.String, provides: Who }) {}
class Perhaps extends HttpApiMiddleware.Tag<Perhaps>()("test/Perhaps", { optional: true, provides: Who }) {}
class Secured extends HttpApiMiddleware.Tag<Secured>()("test/Secured", {
  failure: Schema.String,
  provides: Who,
  security: { bearer: HttpApiSecurity.bearer, key: HttpApiSecurity.apiKey({ key: "x-key", in: "header" }) }
}) {}

type Tags = Parameters<typeof ApiMiddleware.applied>[0]

// A boundary: the type of a tag for all middleware is stricter than those that `HttpApiMiddleware.Tag` makes.
const tags = (...all: ReadonlyArray<unknown>) => all as unknown as Tags

const who = Effect.map(Effect.serviceOption(Who), (found) => (found._tag === "Some" ? found.value : "nobody"))

const requestWith = (headers: Readonly<Record<string, string>>) =>
  Effect.provideService(
    HttpServerRequest.HttpServerRequest,
    HttpServerRequest.fromWeb(new Request("http://localhost", { headers }))
  )

it.effect("The later one is around the earlier, and one that is named twice runs once, in its first place", () =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const step = (name: string) => Effect.tap(Effect.succeed(name), () => log.push(name))
    const services = Context.make(Outer, step("outer")).pipe(Context.add(Inner, step("inner")))
    const handler = ApiMiddleware.applied(tags(Inner, Outer, Inner), services, who)
    expect(yield* handler).toBe("inner")
    expect(log).toEqual(["outer", "inner"])
  })
)

it.effect("A failure keeps the handler from running, but that of an optional one does not", () =>
  Effect.gen(function* () {
    const failing = Effect.fail("refused")
    const services = Context.make(Outer, failing).pipe(Context.add(Perhaps, failing))
    expect(yield* Effect.flip(ApiMiddleware.applied(tags(Outer), services, Effect.die("ran")))).toBe("refused")
    expect(yield* ApiMiddleware.applied(tags(Perhaps), services, who)).toBe("nobody")
  })
)

it.effect("A failure of the handler is not taken for one of the credentials: nothing else is tried", () =>
  Effect.gen(function* () {
    const tried: Array<string> = []
    const check = (name: string) => (given: Redacted.Redacted) => {
      tried.push(name)
      return Redacted.value(given) === "good" ? Effect.succeed(name) : Effect.fail(`no ${name}`)
    }
    const services = Context.make(Secured, { bearer: check("bearer"), key: check("key") })
    const secured = <A>(handler: Effect.Effect<A, unknown>) => ApiMiddleware.applied(tags(Secured), services, handler)
    const both = requestWith({ authorization: "Bearer good", "x-key": "good" })
    expect(yield* both(Effect.flip(secured(Effect.fail("of the handler"))))).toBe("of the handler")
    expect(tried).toEqual(["bearer"])
    expect(yield* requestWith({ "x-key": "good" })(secured(who))).toBe("key")
    expect(yield* requestWith({ "x-key": "bad" })(Effect.flip(secured(who)))).toBe("no key")
  })
)

it("A scheme without a check stops the start", () => {
  // A boundary: the types forbid it.
  const services = Context.make(Secured, { bearer: () => Effect.succeed("") } as never)
  expect(() => ApiMiddleware.applied(tags(Secured), services, who)).toThrow("key")
})
