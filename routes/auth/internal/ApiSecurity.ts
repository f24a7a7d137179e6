// The security schemes of an `HttpApi`, as its OpenAPI document has them.
import { HttpApiSecurity, OpenApi } from "@effect/platform"
import { header as csrfHeader } from "../../../src/session/internal/CsrfNames.ts"

export const session = HttpApiSecurity.apiKey({ in: "cookie", key: "session" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The cookie of a session. A request that changes something also has the header x-csrf-token, from GET /csrf."
  )
)

export const remember = HttpApiSecurity.apiKey({ in: "cookie", key: "remember" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The cookie of a trusted device, which begins a new session; x-csrf-token as for the session."
  )
)

export const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The secret of a session without cookies (efs_…), or an API token (eft_…) where an endpoint names a scope. It needs " +
      "no x-csrf-token, and no cookie counts beside it."
  )
)

type Operation = Readonly<Record<string, unknown>>

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The operation of an endpoint that needs the token of every caller: it begins a session in a cookie. */
export const withToken = (operation: Operation): Record<string, unknown> => ({
  ...operation,
  parameters: [
    ...listOf(operation["parameters"]),
    {
      name: csrfHeader,
      in: "header",
      required: true,
      description: "The token of this browser, from GET /csrf.",
      schema: { type: "string" }
    }
  ]
})

const securedBy =
  (...names: ReadonlyArray<"bearer" | "session">) =>
  (operation: Operation): Record<string, unknown> => ({ ...operation, security: names.map((name) => ({ [name]: [] })) })

/** The operation of an endpoint that finds out by itself who calls it, as the middleware does elsewhere. */
export const forUsers = securedBy("bearer", "session")

/** The operation of an endpoint that reads the pending sign-in of a browser. */
export const forPending = securedBy("session")
