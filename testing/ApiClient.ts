// The client that Effect derives from an `HttpApi`, over the cookies, headers and address of a test client.
import {
  type HttpApi,
  HttpApiClient,
  type HttpApiGroup,
  HttpClient,
  type HttpClientRequest,
  HttpClientResponse
} from "@effect/platform"
import { Effect } from "effect"
import type { TestClient, TestRequest } from "./TestClient.ts"

// Replaced by the address of the test client.
const origin = "http://test.invalid"

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Pick<TestRequest, "body"> => {
  if (body._tag === "Uint8Array") return { body: body.body }
  if (body._tag === "FormData") return { body: body.formData }
  if (body._tag === "Empty") return {}
  throw new TypeError(`A test client does not send a body of the kind ${body._tag}`)
}

const reading = new Set(["GET", "HEAD", "OPTIONS"])

// Needed where a cookie authenticates, and nowhere else. A program without its route has no cookies.
const csrfToken = (client: TestClient): Effect.Effect<Readonly<Record<string, string>>> =>
  client.headers.has("authorization")
    ? Effect.succeed({})
    : Effect.map(client.request("/csrf", { headers: { accept: "application/json" } }), (response) => {
        const body: unknown = response.status === 200 ? response.json : undefined
        return typeof body === "object" && body !== null && "token" in body
          ? { "x-csrf-token": String(body.token) }
          : {}
      })

const httpClientOf = (client: TestClient): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const { "content-length": _length, ...own } = request.headers
      const token = reading.has(request.method) ? {} : yield* csrfToken(client)
      const { body, headers, status } = yield* client.request(url.pathname + url.search, {
        method: request.method,
        headers: { accept: "application/json", ...token, ...own },
        ...bodyOf(request)
      })
      return HttpClientResponse.fromWeb(request, new Response(body === "" ? null : body, { headers, status }))
    })
  )

/** The derived client. A request that changes something has a fresh CSRF token, unless it has a bearer. */
export const make = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  client: TestClient
) => HttpApiClient.makeWith(api, { httpClient: httpClientOf(client), baseUrl: origin })
