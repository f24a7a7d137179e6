import { expect, it } from "@effect/vitest"
import { HttpApiEndpoint, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Either, ParseResult, Schema } from "effect"
import * as ApiDecoding from "../../../routes/http/internal/api/ApiDecoding.ts"

const Digit = Schema.Struct({ id: Schema.NumberFromString })
const Later = Schema.transformOrFail(Schema.String, Schema.String, {
  decode: (text) => Effect.as(Effect.yieldNow(), text),
  encode: ParseResult.succeed
})

const contextOf = (request: Request, params: Record<string, string>, query: Record<string, string>) =>
  Context.make(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)).pipe(
    Context.add(HttpServerRequest.ParsedSearchParams, query),
    Context.add(HttpRouter.RouteContext, {
      [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId,
      params,
      route: HttpRouter.makeRoute("GET", "/", Effect.never)
    })
  )

const get = new Request("http://localhost/")
const headers = { "content-type": "application/json" }
const post = () => new Request("http://localhost/", { method: "POST", headers, body: '{"id":"9"}' })

it("Path, headers and query are decoded at once, and the first that does not match is the issue", () => {
  const endpoint = HttpApiEndpoint.get("read", "/:id").setPath(Digit).setUrlParams(Digit)
  const decode = ApiDecoding.decoderOf(endpoint, false)
  expect(decode(contextOf(get, { id: "7" }, { id: "8" }))).toMatchObject(
    Either.right({ path: { id: 7 }, urlParams: { id: 8 } })
  )
  const refused = decode(contextOf(get, { id: "x" }, { id: "y" }))
  expect(Either.isEither(refused) && Either.isLeft(refused) && refused.left.part).toBe("path")
  expect(
    Either.isEither(refused) && Either.isLeft(refused) && ParseResult.TreeFormatter.formatIssueSync(refused.left.issue)
  ).toContain('"x"')
})

it.effect("A body is read, unless the handler is raw, and what comes after a slow schema still is decoded", () =>
  Effect.gen(function* () {
    const endpoint = HttpApiEndpoint.post("create", "/:id")
      .setPath(Schema.Struct({ id: Later }))
      .setPayload(Digit)
      .setUrlParams(Digit)
    const context = () => contextOf(post(), { id: "7" }, { id: "8" })
    const decoded = ApiDecoding.decoderOf(endpoint, false)(context())
    expect(Either.isEither(decoded)).toBe(false)
    const { request: _, ...parts } = yield* decoded
    expect(parts).toEqual({ path: { id: "7" }, payload: { id: 9 }, urlParams: { id: 8 } })
    expect(Object.keys(yield* ApiDecoding.decoderOf(endpoint, true)(context()))).toEqual([
      "request",
      "path",
      "urlParams"
    ])
  })
)

it("An endpoint that decodes nothing gives the request alone", () => {
  const decoded = ApiDecoding.decoderOf(HttpApiEndpoint.get("all", "/"), false)(contextOf(get, {}, {}))
  expect(Either.isEither(decoded) && Either.isRight(decoded) && Object.keys(decoded.right)).toEqual(["request"])
})
