// People with passkeys, for tests over real sockets: a client, its account, and an authenticator in software.
import { Effect } from "effect"
import type { CreationOptions, RequestOptions } from "../../src/auth/internal/passkeys/PasskeyOptions.ts"
import * as TestApp from "../../testing/TestApp.ts"
import type { TestClient } from "../../testing/TestClient.ts"
import { type Lies, SoftAuthenticator } from "./SoftAuthenticator.ts"

export const path = "/account/passkeys"

/** The options that a page's script asks for; the tests check their shape elsewhere. */
export const creationOptions = (client: TestClient) =>
  Effect.map(client.json("POST", `${path}/options`), ({ json }) => json as CreationOptions)

export const requestOptions = (client: TestClient) =>
  Effect.map(client.json("POST", "/login/passkey/options"), ({ json }) => json as RequestOptions)

/** Adds a passkey to the account of a client. */
export const add = Effect.fnUntraced(function* (client: TestClient, name = "Phone", lies: Lies = {}) {
  const device = new SoftAuthenticator(TestApp.appUrl)
  const credential = device.create(yield* creationOptions(client), lies)
  const response = yield* client.submit(path, { name, credential })
  const handle = response.status === 303 ? handleOf((yield* client.get(path)).body, name) : ""
  return { device, response, handle }
})

const handleOf = (page: string, name: string): string =>
  new RegExp(`<strong>${name}</strong>[^]*?name="handle" value="([^"]+)"`).exec(page)?.[1] ?? ""

/** A client that is signed in to a new account, which has a passkey. */
export const make = Effect.gen(function* () {
  const browser = yield* TestApp.signedInUser()
  return { browser, user: browser.user, ...(yield* add(browser)) }
})

/** Sends what the device answers to a challenge of this client. */
export const signIn = Effect.fnUntraced(function* (
  client: TestClient,
  device: SoftAuthenticator,
  lies: Lies = {},
  more: Readonly<Record<string, string>> = {}
) {
  const credential = device.get(yield* requestOptions(client), lies)
  return yield* client.submit("/login/passkey", { credential, ...more })
})
