// APIs of one endpoint, chosen from tables of schemas, middleware and handlers, on any builder of groups: what is not chosen
// by name is the same for all of them.
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, FastCheck as fc, Layer, Redacted, Schema, type Scope, Stream } from "effect"

class Broken extends Schema.TaggedError<Broken>()(
  "Broken",
  { at: Schema.DateFromSelf },
  HttpApiSchema.annotations({ status: 409 })
) {}
class Missing extends HttpApiSchema.EmptyError<Missing>()({ tag: "Missing", status: 404 }) {}
class Told extends Schema.TaggedError<Told>()(
  "Told",
  { on: Schema.Date },
  HttpApiSchema.annotations({ status: 418 })
) {}
class Refused extends Schema.TaggedError<Refused>()(
  "Refused",
  { by: Schema.String },
  HttpApiSchema.annotations({ status: 401 })
) {}

/** Parsed and printed later than at once. */
const Slow = Schema.transformOrFail(Schema.String, Schema.String, {
  decode: (text) => Effect.delay(Effect.succeed(text), "1 millis"),
  encode: (text) => Effect.as(Effect.yieldNow(), text)
})
const SlowDigit = Schema.compose(Slow, Schema.NumberFromString)
const Throwing = Schema.transform(Schema.String, Schema.String, {
  decode: () => {
    throw new Error("decode")
  },
  encode: () => {
    throw new Error("encode")
  }
})

const fields = {
  text: Schema.String,
  digit: Schema.NumberFromString,
  short: Schema.String.pipe(Schema.maxLength(2)),
  kind: Schema.Literal("a", "b"),
  slow: SlowDigit,
  throwing: Throwing
}

const queryFields = {
  ...fields,
  optional: Schema.optional(Schema.NumberFromString),
  list: Schema.Array(Schema.String),
  digits: Schema.NonEmptyArray(Schema.NumberFromString),
  either: Schema.Union(Schema.String, Schema.Array(Schema.NumberFromString)),
  json: Schema.parseJson(Schema.Struct({ a: Schema.Number })),
  later: Schema.suspend(() => Schema.NumberFromString)
}

const one = <A>(table: Readonly<Record<string, A>>, name: string): A => {
  const found = table[name]
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

const query = (name: string): Schema.Schema.Any =>
  name === "record"
    ? Schema.Record({ key: Schema.String, value: Schema.Union(Schema.NumberFromString, Schema.Array(Schema.String)) })
    : name === "union"
      ? Schema.Union(Schema.Struct({ b: Schema.NumberFromString }), Schema.Struct({ a: Schema.Array(Schema.String) }))
      : Schema.Struct({ a: one<Schema.Struct.Field>(queryFields, name) })

const Body = Schema.Struct({ a: Schema.NumberFromString, on: Schema.optional(Schema.Date) })
const payloads: Readonly<Record<string, Schema.Schema.Any>> = {
  json: Body,
  form: HttpApiSchema.withEncoding(Schema.Struct({ a: Schema.String }), { kind: "UrlParams" }),
  text: HttpApiSchema.Text(),
  bytes: HttpApiSchema.Uint8Array(),
  either: Schema.Union(HttpApiSchema.Text(), Body),
  slow: Schema.Struct({ a: SlowDigit }),
  throwing: Schema.Struct({ a: Throwing }),
  files: HttpApiSchema.Multipart(Schema.Struct({ a: Schema.String })),
  fileStream: HttpApiSchema.MultipartStream(Schema.Struct({ a: Schema.String }))
}

class Cup extends Schema.Class<Cup>("Cup")({ on: Schema.Date }) {}
const successes: Readonly<Record<string, { readonly schema: Schema.Schema.Any; readonly value: unknown }>> = {
  json: { schema: Schema.Struct({ a: Schema.NumberFromString }), value: { a: 5 } },
  created: {
    schema: Schema.Struct({ _tag: Schema.Literal("Created"), id: Schema.Number }).annotations(
      HttpApiSchema.annotations({ status: 201 })
    ),
    value: { _tag: "Created", id: 1 }
  },
  cup: { schema: Cup, value: new Cup({ on: new Date(0) }) },
  nothing: { schema: HttpApiSchema.NoContent, value: undefined },
  accepted: { schema: HttpApiSchema.Accepted, value: undefined },
  text: { schema: HttpApiSchema.Text({ contentType: "text/csv" }), value: "é,😀,\ud800" },
  problem: {
    schema: HttpApiSchema.withEncoding(Schema.Struct({ p: Schema.String }), {
      kind: "Json",
      contentType: "application/problem+json"
    }),
    value: { p: "p" }
  },
  bytes: { schema: HttpApiSchema.Uint8Array(), value: new Uint8Array([0, 255]) },
  form: {
    schema: HttpApiSchema.withEncoding(Schema.Struct({ a: Schema.String, b: Schema.String }), { kind: "UrlParams" }),
    value: { a: "1&2", b: "ü" }
  },
  slow: { schema: Schema.Struct({ slow: Slow }), value: { slow: "later" } },
  throwing: { schema: Schema.Struct({ throwing: Throwing }), value: { throwing: "" } },
  anything: { schema: Schema.Unknown, value: [1n] },
  absent: { schema: Schema.UndefinedOr(Schema.String), value: undefined },
  decodable: {
    schema: HttpApiSchema.asEmpty(Cup, { status: 205, decode: () => new Cup({ on: new Date(0) }) }),
    value: new Cup({ on: new Date(0) })
  }
}

const errors: Readonly<Record<string, { readonly schema: Schema.Schema.Any; readonly value: unknown }>> = {
  broken: { schema: Broken, value: new Broken({ at: new Date(0) }) },
  missing: { schema: Missing, value: new Missing() },
  told: { schema: Told, value: new Told({ on: new Date(0) }) },
  text: { schema: HttpApiSchema.Text().annotations(HttpApiSchema.annotations({ status: 422 })), value: "no" }
}

class Who extends Context.Tag("test/Who")<Who, string>() {}
class Kettle extends Context.Tag("test/Kettle")<Kettle, string>() {}
class Table extends Context.Tag("test/Table")<Table, string>() {}

class Plain extends HttpApiMiddleware.Tag<Plain>()("test/Plain", { failure: Refused }) {}
class Giving extends HttpApiMiddleware.Tag<Giving>()("test/Giving", { failure: Refused, provides: Who }) {}
class Perhaps extends HttpApiMiddleware.Tag<Perhaps>()("test/Perhaps", { optional: true }) {}
class MayGive extends HttpApiMiddleware.Tag<MayGive>()("test/MayGive", { optional: true, provides: Who }) {}
const security = {
  bearer: HttpApiSecurity.bearer,
  basic: HttpApiSecurity.basic,
  header: HttpApiSecurity.apiKey({ key: "X-Key", in: "header" }),
  cookie: HttpApiSecurity.apiKey({ key: "key", in: "cookie" }),
  query: HttpApiSecurity.apiKey({ key: "key", in: "query" })
}
class Secured extends HttpApiMiddleware.Tag<Secured>()("test/Secured", {
  failure: Refused,
  provides: Who,
  security
}) {}
const middleware: Readonly<Record<string, unknown>> = { Plain, Giving, Perhaps, MayGive, Secured }

type Log = Array<string>

/** The middleware fails where the request has a header of its name. */
const middlewareLayer = (log: Log) => {
  const step = <A>(name: string, value: A) =>
    Effect.gen(function* () {
      log.push(`${name} after ${yield* Effect.serviceOption(Who).pipe(Effect.map(String))}`)
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      if (headers[`x-${name}`] === "die") return yield* Effect.die(new Error(name))
      if (headers[`x-${name}`] === "slow") yield* Effect.sleep("1 millis")
      if (headers[`x-${name}`] === "fail") return yield* new Refused({ by: name })
      return value
    })
  const check = (name: string) => (given: Redacted.Redacted | { readonly username: string }) => {
    const text = Redacted.isRedacted(given) ? Redacted.value(given) : given.username
    log.push(`${name}:${text}`)
    return text === "good" ? Effect.succeed(`${name} ${text}`) : Effect.fail(new Refused({ by: name }))
  }
  return Layer.mergeAll(
    Layer.succeed(Plain, step("plain", undefined)),
    Layer.succeed(Giving, step("giving", "given")),
    // What an optional middleware fails with is nobody's.
    Layer.succeed(
      Perhaps,
      Effect.orElseSucceed(step("perhaps", undefined), () => undefined)
    ),
    Layer.succeed(MayGive, step("maygive", "perhaps") as Effect.Effect<string>),
    Layer.succeed(Secured, {
      bearer: check("bearer"),
      basic: check("basic"),
      header: check("header"),
      cookie: check("cookie"),
      query: check("query")
    })
  )
}

const shown = (value: unknown): unknown =>
  value instanceof Uint8Array ? [...value] : value === undefined ? "undefined" : value

/** What handlers do; `value` is what the chosen success or error says. */
const handlers: Readonly<Record<string, (decoded: Readonly<Record<string, unknown>>, value: unknown) => Handled>> = {
  succeed: (_, value) => Effect.succeed(value),
  later: (_, value) => Effect.delay(Effect.succeed(value), "1 millis"),
  fail: (_, value) => Effect.fail(value),
  die: () => Effect.die(new Error("defect")),
  throw: () => {
    throw new Error("thrown")
  },
  both: (_, value) => Effect.ensuring(Effect.fail(value), Effect.die(new Error("finalizer"))),
  interrupt: () => Effect.interrupt,
  parse: () => Schema.decodeUnknown(Schema.Struct({ a: Schema.Number }))({ a: "no" }),
  response: () => HttpServerResponse.text("raw", { status: 203, headers: { "x-own": "1" } }),
  echo: ({ headers, path, payload, urlParams, ...rest }) =>
    Effect.map(
      Effect.isEffect(payload)
        ? Effect.succeed("effect")
        : payload instanceof Object && Stream.StreamTypeId in payload
          ? Effect.map(Effect.orDie(Stream.runCount(payload as Stream.Stream<unknown, unknown>)), (n) => `${n} parts`)
          : Effect.succeed(shown(payload)),
      (body) => HttpServerResponse.unsafeJson({ headers, path, urlParams, body, names: Object.keys(rest) })
    ),
  services: () =>
    Effect.map(
      Effect.all([Effect.serviceOption(Who), Effect.serviceOption(Kettle), Effect.serviceOption(Table)]),
      (all) => HttpServerResponse.unsafeJson(all)
    ),
  names: () =>
    Effect.map(Effect.context<never>(), ({ unsafeMap }) =>
      HttpServerResponse.unsafeJson(Array.from(unsafeMap.keys()).sort())
    ),
  scope: () =>
    Effect.as(
      Effect.addFinalizer(() => Effect.void),
      HttpServerResponse.text("scoped")
    )
}
type Handled = Effect.Effect<unknown, unknown, Scope.Scope>

const levels = <A>(of: fc.Arbitrary<A>) => fc.record({ endpoint: of, group: of, api: of })
const some = (table: object, maxLength: number) => fc.uniqueArray(fc.constantFrom(...Object.keys(table)), { maxLength })
const maybe = (...names: ReadonlyArray<string>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 2 }, fc.constantFrom(...names))

/** The names of what an API is made of. */
export const plan = fc.record({
  method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"),
  path: maybe(...Object.keys(fields)),
  query: maybe(...Object.keys(queryFields), "record", "union"),
  headers: maybe(...Object.keys(fields)),
  payload: maybe(...Object.keys(payloads)),
  success: some(successes, 3),
  errors: levels(some(errors, 2)),
  middleware: levels(some(middleware, 2)),
  handler: fc.oneof(fc.constantFrom("succeed", "fail", "echo", "services"), fc.constantFrom(...Object.keys(handlers))),
  // Mostly what the success says; any other is a mistake that the builders answer alike.
  returned: fc.option(fc.constantFrom(...Object.keys(successes)), { nil: undefined, freq: 2 }),
  failed: fc.constantFrom(...Object.keys(errors)),
  raw: fc.boolean(),
  uninterruptible: fc.boolean()
})
export type Plan = typeof plan extends fc.Arbitrary<infer A> ? A : never

const bodies: Readonly<
  Record<string, () => readonly [type: string | undefined, body: string | FormData | Uint8Array]>
> = {
  json: () => ["application/json", '{"a":"7","on":"2020-01-01T00:00:00Z","more":1}'],
  jsonIn: () => ["Application/JSON; charset=utf-8 ", '{"a":"x"}'],
  broken: () => ["application/json", '{"a":'],
  empty: () => ["application/json", ""],
  untyped: () => [undefined, '{"a":"7"}'],
  form: () => ["application/x-www-form-urlencoded", "a=7&b=%C3%BC"],
  repeated: () => ["application/x-www-form-urlencoded", "a=7&a=8"],
  text: () => ["text/plain", "é tea"],
  bytes: () => ["application/octet-stream", new Uint8Array([1, 2, 255])],
  files: () => {
    const form = new FormData()
    form.set("a", "7")
    return [undefined, form]
  },
  noParts: () => ["multipart/form-data", "--"]
}

const mostly = <A>(usual: A, ...others: ReadonlyArray<A>) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 3 * others.length }, fc.constantFrom(usual, ...others))

const behaviour = mostly(undefined, "fail", "die", "slow")

/** A request that mostly suits the API. */
export const request = fc.record({
  method: fc.oneof({ arbitrary: fc.constant(undefined), weight: 20 }, fc.constantFrom("HEAD", "POST")),
  segment: mostly("7", "a", "%C3%BC", "abc", "%2F"),
  query: fc.oneof(
    fc.constant("?a=7"),
    fc.constantFrom("", "?a=a", "?a=7&a=8", "?a=", "?b=7", "?a=%7B%22a%22%3A1%7D&key=good", "?key=good")
  ),
  headers: fc.record({
    "x-a": mostly("7", undefined, "a", "abc"),
    "x-key": mostly(undefined, "good"),
    authorization: mostly("Bearer good", undefined, "Bearer bad", "Basic Z29vZDpw", "Basic Z29vZDpwOnA=", "Basic %"),
    cookie: mostly(undefined, "key=good", "other=good"),
    "x-plain": behaviour,
    "x-giving": behaviour,
    "x-maygive": behaviour
  }),
  body: fc.oneof(fc.constantFrom("json", "form", "text", "files"), fc.constantFrom(...Object.keys(bodies)))
})
export type Given = typeof request extends fc.Arbitrary<infer A> ? A : never

// A boundary of the type system: which schemas an API has is known only when it runs.
interface Erased {
  readonly add: (part: Erased) => Erased
  readonly setPath: (schema: unknown) => Erased
  readonly setPayload: (schema: unknown) => Erased
  readonly setHeaders: (schema: unknown) => Erased
  readonly setUrlParams: (schema: unknown) => Erased
  readonly addSuccess: (schema: unknown) => Erased
  readonly addError: (schema: unknown) => Erased
  readonly middleware: (tag: unknown) => Erased
}

type Level = "endpoint" | "group" | "api"

const withLevel = (part: Erased, { errors: failures, middleware: steps }: Plan, level: Level): Erased => {
  const failing = failures[level].reduce((to, name) => to.addError(one(errors, name).schema), part)
  return steps[level].reduce((to, name) => to.middleware(one(middleware, name)), failing)
}

const endpointOf = (given: Plan): Erased => {
  const make = HttpApiEndpoint.make(given.method as "POST")
  let endpoint = make("run", given.path === undefined ? "/run" : "/run/:a") as unknown as Erased
  if (given.path !== undefined) endpoint = endpoint.setPath(Schema.Struct({ a: one(fields, given.path) }))
  if (given.payload !== undefined) endpoint = endpoint.setPayload(one(payloads, given.payload))
  if (given.headers !== undefined) endpoint = endpoint.setHeaders(Schema.Struct({ "x-a": one(fields, given.headers) }))
  if (given.query !== undefined) endpoint = endpoint.setUrlParams(query(given.query))
  const succeeding = given.success.reduce((to, name) => to.addSuccess(one(successes, name).schema), endpoint)
  return withLevel(succeeding, given, "endpoint")
}

const apiOf = (given: Plan): HttpApi.HttpApi.AnyWithProps => {
  const group = (HttpApiGroup.make("group") as unknown as Erased).add(endpointOf(given))
  const api = (HttpApi.make("api") as unknown as Erased).add(withLevel(group, given, "group"))
  return withLevel(api, given, "api") as unknown as HttpApi.HttpApi.AnyWithProps
}

const valueOf = ({ failed, handler, returned, success }: Plan): unknown => {
  if (handler === "fail" || handler === "both") return one(errors, failed).value
  const name = returned ?? success[0]
  return name === undefined ? undefined : one(successes, name).value
}

/** What a client sees, and what the middleware did for it. */
export interface Answer {
  readonly status: number
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: string
  readonly log: ReadonlyArray<string>
}

/** Answers of this API, whose group is built by the given builder, on Effect's own server. */
export const serverOf = (given: Plan, builder: (api: never, name: never, build: never) => unknown) => {
  const log: Log = []
  const api = apiOf(given)
  const built = builder(
    api as never,
    "group" as never,
    ((all: {
      readonly handle: (...args: ReadonlyArray<unknown>) => unknown
      readonly handleRaw: (...args: ReadonlyArray<unknown>) => unknown
    }) => {
      const run = (decoded: Readonly<Record<string, unknown>>) => one(handlers, given.handler)(decoded, valueOf(given))
      const options = { uninterruptible: given.uninterruptible }
      const handled = given.raw ? all.handleRaw("run", run, options) : all.handle("run", run, options)
      return Effect.succeed(handled)
    }) as never
  ) as Layer.Layer<never>
  const { dispose, handler } = HttpApiBuilder.toWebHandler(
    (HttpApiBuilder.api(api as never) as Layer.Layer<HttpApi.Api>).pipe(
      Layer.provide(Layer.provide(built, Layer.succeed(Kettle, "of the group"))),
      Layer.provide(Layer.succeed(Table, "of the group")),
      Layer.provide(middlewareLayer(log)),
      Layer.merge(NodeHttpServer.layerContext)
    )
  )
  const ask = async ({ body, headers, method = given.method, query, segment }: Given): Promise<Answer> => {
    log.length = 0
    const [type, bytes] = one(bodies, body)()
    const url = `http://localhost/run${given.path === undefined ? "" : `/${segment}`}${query}`
    const hasBody = !["GET", "HEAD"].includes(method)
    const response = await handler(
      new Request(url, {
        method,
        headers: Object.entries({ ...headers, "content-type": type }).flatMap(
          ([name, value]): Array<[string, string]> => (value === undefined ? [] : [[name, value]])
        ),
        ...(hasBody && { body: bytes })
      }),
      Context.make(Table, "of the request")
    )
    const text = Buffer.from(await response.arrayBuffer()).toString("latin1")
    return { status: response.status, headers: [...response.headers], body: text, log: [...log] }
  }
  return { ask, dispose }
}
