// A client that submits the forms it has loaded, with the token of the last page; a test client requests a fresh token.
import { Effect } from "effect"
import * as TestClient from "../../testing/TestClient.ts"

export interface Visitor extends Omit<TestClient.TestClient, "submit"> {
  readonly submit: (path: string, form: Readonly<Record<string, string>>) => Effect.Effect<TestClient.TestResponse>
  /** The text of the page at this path without its markup, after all redirects. */
  readonly read: (path: string) => Effect.Effect<string>
}

/** The form token that a page carries. */
export const tokenOf = (page: string): string | undefined => /name="_token" value="([^"]+)"/.exec(page)?.[1]

export const make = (url: string, from?: string): Visitor => {
  const client = TestClient.make(url, from)
  let token: string | undefined

  const request = (path: string, given?: TestClient.TestRequest) =>
    Effect.tap(client.request(path, given), ({ body }) => {
      token = tokenOf(body) ?? token
    })

  const follow = (path: string): Effect.Effect<TestClient.TestResponse> =>
    Effect.flatMap(request(path), (response) =>
      response.location === undefined ? Effect.succeed(response) : follow(response.location)
    )

  return {
    ...client,
    request,
    get: (path) => request(path),
    follow,
    submit: (path, form) => request(path, { form: token === undefined ? form : { _token: token, ...form } }),
    read: (path) => Effect.map(follow(path), ({ text }) => text)
  }
}
