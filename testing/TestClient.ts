// An HTTP client that behaves like a browser: keeps cookies and sends forms with their CSRF token. Follows no redirects.
import { Effect } from "effect"
import { newAddress } from "./PrivateAddress.ts"
import * as PageText from "./PageText.ts"

/** A request, where it differs from a plain `GET`. */
export interface TestRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of a form, sent urlencoded. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Uint8Array | FormData
}

/** The response, read in full. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly location: string | undefined
  /** The `Set-Cookie` lines. */
  readonly cookies: ReadonlyArray<string>
  /** The body as JSON. */
  readonly json: unknown
  /** The body as a person reads it, without its markup. */
  readonly text: string
}

/** A client with its own cookies and address. */
export interface TestClient {
  /** Exactly this request, with the cookies so far and nothing else added. */
  readonly request: (path: string, request?: TestRequest) => Effect.Effect<TestResponse>
  /** A page, requested as a browser does. */
  readonly get: (path: string) => Effect.Effect<TestResponse>
  /** A page, after all redirects. */
  readonly follow: (path: string) => Effect.Effect<TestResponse>
  /** A form, with a fresh token; a form with files is a `FormData`. */
  readonly submit: (path: string, form: Readonly<Record<string, string>> | FormData) => Effect.Effect<TestResponse>
  /** A JSON request with a JSON response, with a fresh token in the header unless it only reads. */
  readonly json: (method: string, path: string, value?: unknown) => Effect.Effect<TestResponse>
  /** The cookies by name. A test may read and change them. */
  readonly jar: Map<string, string>
  /** Headers of every request, such as `accept-language`; empty unless a test sets some. Those of a request win. */
  readonly headers: Map<string, string>
  /** The client's address: rate limits count each address separately. */
  readonly address: string
}

const keep = (jar: Map<string, string>, line: string): void => {
  const [pair = "", ...attributes] = line.split(";")
  const at = pair.indexOf("=")
  const name = pair.slice(0, at).trim()
  const gone = attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))
  if (gone) jar.delete(name)
  else jar.set(name, pair.slice(at + 1))
}

interface Body {
  readonly type?: string
  readonly content?: NonNullable<TestRequest["body"]>
}

const bodyOf = ({ body, form, json }: TestRequest): Body => {
  if (form !== undefined) {
    return { type: "application/x-www-form-urlencoded", content: new URLSearchParams(form).toString() }
  }
  if (json !== undefined) return { type: "application/json", content: JSON.stringify(json) }
  return body === undefined ? {} : { content: body }
}

const responseOf = ({ headers, status }: Response, body: string): TestResponse => ({
  status,
  headers,
  body,
  location: headers.get("location") ?? undefined,
  cookies: headers.getSetCookie(),
  get json(): unknown {
    return JSON.parse(body)
  },
  get text() {
    return PageText.textOf(body)
  }
})

// The token has to come before the first file.
const withToken = (token: string, form: FormData): FormData => {
  const all = new FormData()
  all.append("_token", token)
  for (const [name, value] of form) {
    if (typeof value === "string") all.append(name, value)
    else all.append(name, value, value.name)
  }
  return all
}

const reading = new Set(["GET", "HEAD", "OPTIONS"])
const accept = "application/json"

/**
 * A client without cookies, with its own address, behind a proxy that the server trusts.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { ServerAddress } from "effect-framework/server"
 * import { TestClient } from "effect-framework/testing"
 *
 * // Two browsers behind one address, which a rate limit counts together; those of `TestApp.guest` have one each.
 * export const colleagues = Effect.map(ServerAddress.ServerAddress, ({ url }) => {
 *   const address = "203.0.113.7"
 *   return [TestClient.make(url, address), TestClient.make(url, address)] as const
 * })
 * ```
 */
export const make = (url: string, address: string = newAddress()): TestClient => {
  const jar = new Map<string, string>()
  const headers = new Map<string, string>()

  const request = (path: string, given: TestRequest = {}): Effect.Effect<TestResponse> =>
    Effect.promise(async (signal) => {
      const { content, type } = bodyOf(given)
      const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(url + path, {
        method: given.method ?? (content === undefined ? "GET" : "POST"),
        redirect: "manual",
        signal,
        ...(content === undefined ? {} : { body: content }),
        headers: {
          accept: "text/html",
          "x-forwarded-for": address,
          ...(cookie === "" ? {} : { cookie }),
          ...(type === undefined ? {} : { "content-type": type }),
          ...Object.fromEntries(headers),
          ...given.headers
        }
      })
      const read = responseOf(response, await response.text())
      for (const line of read.cookies) keep(jar, line)
      return read
    })

  const token = Effect.flatMap(request("/csrf", { headers: { accept } }), ({ body, json, status }) =>
    typeof json === "object" && json !== null && "token" in json
      ? Effect.succeed(String(json.token))
      : Effect.dieMessage(`GET /csrf gave no token but ${status}: ${body.slice(0, 200)}`)
  )

  const follow = (path: string): Effect.Effect<TestResponse> =>
    Effect.flatMap(request(path), (response) =>
      response.location === undefined ? Effect.succeed(response) : follow(response.location)
    )

  return {
    request,
    get: (path) => request(path),
    follow,
    submit: (path, form) =>
      Effect.flatMap(token, (_token) =>
        request(path, form instanceof FormData ? { body: withToken(_token, form) } : { form: { _token, ...form } })
      ),
    json: (method, path, value) =>
      reading.has(method)
        ? request(path, { method, headers: { accept } })
        : Effect.flatMap(token, (token) =>
            request(path, { method, json: value ?? {}, headers: { accept, "x-csrf-token": token } })
          ),
    jar,
    headers,
    address
  }
}
