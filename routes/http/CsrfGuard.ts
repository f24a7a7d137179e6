// The CSRF check: a request that changes something must come from one of the program's own pages.
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as Csrf from "../../src/auth/Csrf.ts"
import * as RequestOrigin from "../../src/auth/RequestOrigin.ts"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { type BodyError, UnsupportedMediaType } from "../../src/http/BodyError.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as FormFields from "./FormFields.ts"
import * as SessionCookie from "./SessionCookie.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

type Needs = Csrf.Csrf | AuthSettings | SessionCookie.Needs

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** The handler, behind the check. GET, HEAD and OPTIONS change nothing and pass. */
export const checked = <E, R>(handler: Handler<E, R>): Handler<E | Csrf.CsrfMismatch | BodyError, R | Needs> =>
  Effect.flatMap(Exchange, ({ method }) => (safe.has(method) ? handler : Effect.zipRight(check, handler)))

const check: Effect.Effect<void, Csrf.CsrfMismatch | BodyError, Needs> = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { appUrl } = yield* AuthSettings
  const source = { origin: headers["origin"], secFetchSite: headers["sec-fetch-site"], host: headers["host"] }
  if (!RequestOrigin.isOwnOrigin(source, appUrl)) return yield* new Csrf.CsrfMismatch({ reason: "origin" })
  const contentType = headers["content-type"]
  if (contentType !== undefined && !isForm(contentType)) {
    return yield* new UnsupportedMediaType({ contentType: contentType.slice(0, 100) })
  }
  const session = yield* SessionCookie.current
  const csrf = yield* Csrf.Csrf
  const given = yield* presented(headers[Csrf.header])
  if (!(yield* csrf.check(session, given))) return yield* new Csrf.CsrfMismatch({ reason: "token" })
  // A password or link that the handler checks may be revoked meanwhile.
  yield* session.trackRevocations
})

const presented = (header: string | undefined) =>
  header !== undefined
    ? Effect.succeed(header)
    : Effect.map(FormFields.read, (fields) => (fields.repeated.has(Csrf.field) ? "" : (fields.get(Csrf.field) ?? "")))

// A plain HTML form on any site can send text/plain and multipart without a preflight; the framework uses neither.
const forms: ReadonlySet<string> = new Set(["application/x-www-form-urlencoded", "application/json"])

const isForm = (contentType: string): boolean => forms.has((contentType.split(";", 1)[0] ?? "").trim().toLowerCase())
