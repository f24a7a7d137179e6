// Requests for lists over connections that stay open.
import { Effect } from "effect"
import * as Http from "node:http"

export interface ListResponse {
  readonly status: number
  readonly body: string
  readonly link: string | undefined
}

const agent = new Http.Agent({ keepAlive: true, maxSockets: 8 })

export const get = (url: string): Effect.Effect<ListResponse, Error> =>
  Effect.async((resume) => {
    const request = Http.get(url, { agent }, (response) => {
      let body = ""
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
      response.on("end", () => {
        const { link } = response.headers
        resume(
          Effect.succeed({ status: response.statusCode ?? 0, body, link: Array.isArray(link) ? link.join() : link })
        )
      })
    })
    request.on("error", (error) => resume(Effect.fail(error)))
  })

/** Any text as the value of a parameter. */
export const escaped = (cursor: string): string => encodeURIComponent(cursor.replace(/\p{Surrogate}/gu, "\ufffd"))
