// A response whose body is a text, which the server writes without a copy to bytes.
import { HttpBody, HttpServerResponse } from "@effect/platform"

type Response = HttpServerResponse.HttpServerResponse

/** Header lines by their names. */
export type Lines = Readonly<Record<string, string>>

export const types = {
  json: "application/json",
  page: "text/html; charset=utf-8",
  text: "text/plain; charset=utf-8"
}

/** A response of this type. */
export const make = (body: string, contentType: string, headers: Lines, status: number): Response =>
  HttpServerResponse.raw(body, { status, contentType, headers })

/** Responses of this type that share their headers: making them anew takes a twentieth of `/account`. */
export const sharing = (contentType: string, headers: Lines = {}): ((body: string, status: number) => Response) => {
  const empty = make("", contentType, headers, 200)
  return (body, status) => {
    const response = HttpServerResponse.setBody(empty, HttpBody.raw(body))
    return status === 200 ? response : HttpServerResponse.setStatus(response, status)
  }
}
