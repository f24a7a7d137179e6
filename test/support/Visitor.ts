// A client with an address of its own, that fills in forms and can also speak JSON.
import { Effect } from "effect"
import * as Client from "./Client.ts"

export interface Visitor extends Client.Client {
  /** A request of a program: JSON both ways, with a fresh form token in the header. */
  readonly json: (method: "GET" | "POST", path: string, body?: unknown) => Effect.Effect<Told>
  /** What the page at this path says, without its markup, after all redirects. */
  readonly read: (path: string) => Effect.Effect<string>
  readonly address: string
}

export interface Told extends Client.Answer {
  readonly value: unknown
}

let count = 0

/** Another address each time. */
export const address = (): string => `10.${(++count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`

/** The text of a page as a person reads it. */
export const textOf = (page: string): string =>
  page
    .replace(/[^]*<body>/, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")

const parsed = (body: string): unknown => (body === "" ? undefined : JSON.parse(body))

/** A visitor who comes from this address, by way of a proxy that the server believes. */
export const make = (url: string, from: string = address()): Visitor => {
  const client = Client.make(url)
  let token: string | undefined

  const request = (path: string, given: Client.Request = {}) =>
    client.request(path, { ...given, headers: { "x-forwarded-for": from, ...given.headers } }).pipe(
      Effect.tap(({ body }) => {
        token = Client.tokenOf(body) ?? token
      })
    )

  const json = Effect.fnUntraced(function* (method: "GET" | "POST", path: string, body: unknown = {}) {
    const accept = "application/json"
    if (method === "GET") {
      const answer = yield* request(path, { headers: { accept } })
      return { ...answer, value: parsed(answer.body) }
    }
    const csrf = parsed((yield* request("/csrf", { headers: { accept } })).body)
    const known = typeof csrf === "object" && csrf !== null && "token" in csrf ? String(csrf.token) : ""
    const answer = yield* request(path, { method, json: body, headers: { accept, "x-csrf-token": known } })
    return { ...answer, value: parsed(answer.body) }
  })

  const follow = (path: string): Effect.Effect<Client.Answer> =>
    Effect.flatMap(request(path), (answer) =>
      answer.location === undefined ? Effect.succeed(answer) : follow(answer.location)
    )

  return {
    request,
    get: (path, headers = {}) => request(path, { headers }),
    submit: (path, form) => request(path, { form: token === undefined ? form : { _token: token, ...form } }),
    jar: client.jar,
    json,
    read: (path) => Effect.map(follow(path), ({ body }) => textOf(body)),
    address: from
  }
}
