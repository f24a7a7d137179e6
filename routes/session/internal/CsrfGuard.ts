// The CSRF check: a request that changes something must come from one of the program's own pages.
import { HttpLayerRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect } from "effect"
import * as Csrf from "../../../src/session/Csrf.ts"
import * as CsrfNames from "../../../src/session/internal/CsrfNames.ts"
import * as RequestOrigin from "../../../src/session/internal/RequestOrigin.ts"
import { SessionConfig } from "../../../src/session/internal/SessionConfig.ts"
import { type BodyError, UnsupportedMediaType } from "../../../src/http/BodyError.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import type { Fields } from "../../../src/http/internal/Fields.ts"
import * as MediaType from "../../../src/http/internal/text/MediaType.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"
import { isMultipart } from "../../http/internal/BodyCheck.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as MultipartBody from "./MultipartBody.ts"
import * as SessionCookie from "./SessionCookie.ts"
import * as CsrfCheck from "../CsrfCheck.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

type Needs = Csrf.Csrf | SessionConfig | SessionCookie.Needs

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const isSafe = RequestServices.read((services: Context.Context<RequestState>) =>
  safe.has(Context.get(services, RequestState).method)
)

/** The handler, behind the check. GET, HEAD and OPTIONS change nothing and pass. */
export const checked = <E, R>(handler: Handler<E, R>): Handler<E | Csrf.CsrfMismatch | BodyError, R | Needs> =>
  Effect.flatMap(isSafe, (safely) => (safely ? handler : Effect.zipRight(check, handler)))

const fromOwnOrigin = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { appUrl } = yield* SessionConfig
  const source = { origin: headers["origin"], secFetchSite: headers["sec-fetch-site"], host: headers["host"] }
  if (!RequestOrigin.isOwnOrigin(source, appUrl)) return yield* new Csrf.CsrfMismatch({ reason: "origin" })
})

const hasToken = Effect.fnUntraced(function* (given: string) {
  const session = yield* SessionCookie.current
  const csrf = yield* Csrf.Csrf
  if (!(yield* csrf.check(session, given))) return yield* new Csrf.CsrfMismatch({ reason: "token" })
  // A password or link that the handler checks may be revoked meanwhile.
  yield* session.trackRevocations
})

/** The check of an API: the token comes in the header alone. */
export const header: Effect.Effect<void, Csrf.CsrfMismatch, Needs> = Effect.flatMap(isSafe, (safely) =>
  safely
    ? Effect.void
    : Effect.zipRight(
        fromOwnOrigin,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => hasToken(headers[CsrfNames.header] ?? ""))
      )
)

const check: Effect.Effect<void, Csrf.CsrfMismatch | BodyError, Needs> = Effect.gen(function* () {
  yield* fromOwnOrigin
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const contentType = headers["content-type"]
  const isUpload = isMultipart(contentType) && RouteOptions.of(yield* RequestState).multipart === true
  if (contentType !== undefined && !isUpload && !forms.has(MediaType.of(contentType))) {
    return yield* new UnsupportedMediaType({ contentType: contentType.slice(0, 100) })
  }
  yield* hasToken(yield* presented(headers[CsrfNames.header], isUpload ? fieldsBeforeFile : FormFields.read))
})

type Reading = typeof FormFields.read

// A boundary of the type system: `Upload.route` adds the services of a multipart body to the route that accepts one.
const fieldsBeforeFile = Effect.flatMap(
  MultipartBody.open,
  ({ head }): Effect.Effect<Fields, BodyError> => head
) as Reading

const presented = (header: string | undefined, reading: Reading) =>
  header !== undefined
    ? Effect.succeed(header)
    : Effect.map(reading, (fields) => (fields.repeated.has(CsrfNames.field) ? "" : (fields.get(CsrfNames.field) ?? "")))

// A plain HTML form on any site can send text/plain and multipart without a preflight. Only uploads need multipart.
const forms: ReadonlySet<string> = new Set(["application/x-www-form-urlencoded", "application/json"])

/** `GET /csrf`, responds with `{ token }`. */
export const tokenRoutes = [
  HttpLayerRouter.route(
    "GET",
    "/csrf",
    Effect.map(CsrfCheck.token, (token) => NoStore.json({ token }))
  )
]
