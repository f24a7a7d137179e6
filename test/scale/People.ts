// Visitors of the site, each with cookies and an address of their own.
import { Effect } from "effect"
import assert from "node:assert/strict"
import * as TestClient from "../../testing/TestClient.ts"

export const password = "correct-horse-battery-staple"

let people = 0

/** An address that no other visitor has. */
export const newEmail = (): string => `person-${++people}-${Date.now().toString(36)}@example.com`

/** The same browser on another machine: the jar of cookies and the address are shared. */
export const through = (browser: TestClient.TestClient, url: string): TestClient.TestClient => {
  const other = TestClient.make(url, browser.address)
  const request: TestClient.TestClient["request"] = (path, given) =>
    Effect.suspend(() => {
      other.jar.clear()
      for (const [name, value] of browser.jar) other.jar.set(name, value)
      return Effect.tap(other.request(path, given), () => {
        browser.jar.clear()
        for (const [name, value] of other.jar) browser.jar.set(name, value)
      })
    })
  return {
    ...other,
    request,
    get: (path) => request(path),
    submit: (path, form) =>
      Effect.flatMap(request("/csrf", { headers: { accept: "application/json" } }), ({ body }) => {
        const _token: unknown = JSON.parse(body).token
        assert.ok(!(form instanceof FormData))
        return request(path, { form: { _token: String(_token), ...form } })
      }),
    jar: browser.jar
  }
}

/** A visitor who has registered at this address of the site, and is signed in. */
export const registered = (url: string, email: string = newEmail()) =>
  Effect.gen(function* () {
    const browser = TestClient.make(url)
    const response = yield* browser.submit("/register", { email, password, password_confirmation: password })
    assert.equal(response.status, 303, `POST /register gave ${response.status}: ${response.text.slice(0, 200)}`)
    return { browser, email }
  })

/** A visitor who signs in at this address of the site. */
export const signedIn = (url: string, email: string, form: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const browser = TestClient.make(url)
    const response = yield* browser.submit("/login", { email, password, ...form })
    assert.equal(response.status, 303, `POST /login gave ${response.status}: ${response.text.slice(0, 200)}`)
    return browser
  })

/** Whether the visitor is signed in on the machine at this address. */
export const isSignedIn = (browser: TestClient.TestClient, url: string): Effect.Effect<boolean> =>
  Effect.map(through(browser, url).get("/account"), ({ status }) => status === 200)
