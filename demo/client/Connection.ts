// The client of the demo's API: derived from its contract, with the session of the file.
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Data, Effect, Layer, Option } from "effect"
import { DemoApi } from "../Api.ts"
import { authorization, SessionFile } from "./SessionFile.ts"

/** What is wrong, in a line for the person at the terminal. */
export class Problem extends Data.TaggedError("Problem")<{ readonly message: string }> {}

const local = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The origin of a server. A password goes over the network only encrypted. */
export const originOf = (text: string): Effect.Effect<string, Problem> =>
  Effect.suspend(() => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) return new Problem({ message: `${text} is no address.` })
    if (url.protocol === "http:" && !local.test(url.hostname)) {
      return new Problem({ message: `${url.host} needs https: a password must not be sent in the clear.` })
    }
    return Effect.succeed(url.origin)
  })

// A redirect could send a password or a session to another server.
export const layer = Layer.provide(
  FetchHttpClient.layer,
  Layer.succeed(FetchHttpClient.RequestInit, { redirect: "error" })
)

/** The API at this server, signed in when the file has a session for it. */
export const open = Effect.fnUntraced(function* (url: string) {
  const file = yield* SessionFile
  const session = yield* file.read(url)
  const api = yield* HttpApiClient.make(DemoApi, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(
      Option.match(session, {
        onNone: () => HttpClientRequest.acceptJson,
        onSome: (one) => HttpClientRequest.setHeader("authorization", authorization(one))
      })
    )
  })
  return { api, session }
})

interface Known {
  readonly _tag: string
  readonly message?: string
  readonly error?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly retryAfter?: number
}

/** A failure of the API as a line. */
export const problemOf =
  (url: string) =>
  (failure: Known): Problem => {
    const { _tag, error, fields = {}, message = "", retryAfter } = failure
    const texts: Readonly<Record<string, string>> = {
      RequestError: `No answer from ${url}. Is the demo running?`,
      ResponseError: `${url} answered something else than the API of the demo.`,
      ParseError: `${url} answered something else than the API of the demo.`,
      Unauthenticated: "Not signed in, or the session has ended. Sign in first.",
      TooManyRequests: `Too many attempts. Try again in ${retryAfter ?? 0} seconds.`,
      Overloaded: `The server is busy. Try again in ${retryAfter ?? 0} seconds.`
    }
    const details = Object.values(fields)
    return new Problem({ message: texts[_tag] ?? (details.length > 0 ? details.join(" ") : (error ?? message)) })
  }
