// The fields of a form: read once, limited while they are read.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Stream } from "effect"
import { type BodyError, BodyTooLarge, MalformedBody, UnsupportedMediaType } from "../../../src/http/BodyError.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import { RequestState, type State } from "../../../src/http/internal/RequestState.ts"
import * as Fields from "../../../src/http/internal/Fields.ts"
import * as MediaType from "../../../src/http/internal/text/MediaType.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"

interface Parser {
  readonly parse: (text: string) => Fields.Fields | undefined
  /** What is wrong with a text that it cannot parse. */
  readonly reason: MalformedBody["reason"]
}

const parsers: Readonly<Record<string, Parser>> = {
  "application/x-www-form-urlencoded": { parse: Fields.fromForm, reason: "notUtf8" },
  "application/json": { parse: Fields.fromJson, reason: "notJson" }
}

/** The fields of the request's body; a request without a body has none. */
export const read: Effect.Effect<Fields.Fields, BodyError, HttpServerRequest.HttpServerRequest | RequestState> =
  Effect.gen(function* () {
    const state = yield* RequestState
    if (state.fields !== undefined) return state.fields
    const request = yield* HttpServerRequest.HttpServerRequest
    return (state.fields = isEmpty(request) ? Fields.empty : yield* parse(request, limitOf(state)))
  })

// The limit of a route with uploads is the one of its files.
const limitOf = (state: State): number => {
  const { bodyLimit = defaultLimit, multipart = false } = RouteOptions.of(state)
  return multipart ? defaultLimit : bodyLimit
}

const isEmpty = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0"

const parse = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, limit: number) {
  const contentType = request.headers["content-type"] ?? ""
  const parser = parsers[MediaType.of(contentType)]
  if (parser === undefined) return yield* new UnsupportedMediaType({ contentType: contentType.slice(0, 100) })
  const fields = parser.parse(yield* decode(yield* bytes(request, limit)))
  return fields ?? (yield* new MalformedBody({ reason: parser.reason }))
})

const decode = (bytes: Uint8Array): Effect.Effect<string, MalformedBody> =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new MalformedBody({ reason: "notUtf8" })
  })

const bytes = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, limit: number) {
  if (Number(request.headers["content-length"]) > limit) return yield* new BodyTooLarge({ limit })
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* request.stream.pipe(
    Stream.runForEach((chunk) => {
      size += chunk.length
      chunks.push(chunk)
      return size > limit ? new BodyTooLarge({ limit }) : Effect.void
    }),
    Effect.catchTag("RequestError", () => new MalformedBody({ reason: "endedEarly" }))
  )
  return Buffer.concat(chunks)
})
