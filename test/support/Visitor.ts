// A visitor who fills in the forms that they see: with the token of the last page, where a test client asks for a fresh one.
import { Effect } from "effect"
import * as TestClient from "../../testing/TestClient.ts"

export interface Visitor extends TestClient.TestClient {
  /** What the page at this path says, without its markup, after all redirects. */
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
    Effect.flatMap(request(path), (answer) =>
      answer.location === undefined ? Effect.succeed(answer) : follow(answer.location)
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
