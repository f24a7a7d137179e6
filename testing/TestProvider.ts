// An OpenID provider in the process of a test: it signs in whoever the test says, and lies where the test wants it to.
import { Context, Effect, Layer, Redacted } from "effect"
import { createHash, createHmac, createSign, generateKeyPairSync, randomBytes } from "node:crypto"
import * as Http from "node:http"
import * as OidcProvider from "../layers/auth/OidcProvider.ts"
import { Providers } from "../src/auth/Providers.ts"
import type { TestClient, TestResponse } from "./TestClient.ts"

type Json = Readonly<Record<string, unknown>>

/** A response in place of the true one; `hang` sends none. */
export type Answer = "hang" | { readonly status: number; readonly body?: string; readonly location?: string }

/** What the provider says wrongly. */
export interface Lies {
  /** The claims of the token, changed. */
  readonly claims?: (claims: Json) => Json
  /** How the token is signed: by nobody, with the client's secret, by a key that is not published, or with a broken one. */
  readonly signature?: "none" | "symmetric" | "foreign" | "broken"
  /** The discovery, changed. */
  readonly discovery?: (document: Json) => Json
  /** The parameters that the browser brings back, changed. */
  readonly callback?: (parameters: URLSearchParams) => void
  /** Another response to requests for this path, such as `/token`. */
  readonly answer?: (path: string) => Answer | undefined
}

/** A provider of a test. Its id is `test`, and its button says "Test". */
export class TestProvider extends Context.Tag("effect-framework/testing/TestProvider")<
  TestProvider,
  {
    readonly issuer: string
    /** Signs in with these claims by the button of the sign-in page; the response to the return of the browser. */
    readonly signIn: (
      client: TestClient,
      claims: Json,
      form?: Readonly<Record<string, string>>
    ) => Effect.Effect<TestResponse>
    /** The path that the browser comes back to, for a flow that was begun at this address of the provider. */
    readonly approve: (address: string, claims: Json) => Effect.Effect<string>
    /** From here on it lies like this; `{}` tells the truth again. */
    readonly lie: (lies: Lies) => Effect.Effect<void>
    /** New keys; the old ones are no longer published. */
    readonly rotateKeys: Effect.Effect<void>
    /** The paths that were requested, in their order. */
    readonly requests: Effect.Effect<ReadonlyArray<string>>
    /** Its client secret, and every code and token that it has issued: no log, span or page must have one of them. */
    readonly secrets: Effect.Effect<ReadonlyArray<string>>
  }
>() {}

/** What differs from a public provider that speaks for no domain. */
export type Options = Partial<
  Pick<
    OidcProvider.Options,
    | "id"
    | "name"
    | "accepts"
    | "asksAgain"
    | "authoritativeFor"
    | "countsSecondFactor"
    | "fields"
    | "network"
    | "provesAddress"
  >
>

const client = { clientId: "test-client", clientSecret: "test-secret" }

interface Grant {
  readonly claims: Json
  readonly nonce: string
  readonly challenge: string
}

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return { kid: randomBytes(6).toString("hex"), privateKey, publicKey }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const makeServer = () => {
  let key = newKey()
  let lies: Lies = {}
  // Made with the lie: a key made in a request would hold it, on a slow machine until the client gives up.
  let foreign = key
  let issuer = ""
  const requests: Array<string> = []
  const secrets: Array<string> = [client.clientSecret]
  const grants = new Map<string, Grant>()
  const people = new Map<string, Json>()

  const sign = (claims: Json): string => {
    const { signature } = lies
    const alg = signature === "none" ? "none" : signature === "symmetric" ? "HS256" : "RS256"
    const text = `${encode({ alg, kid: key.kid })}.${encode(claims)}`
    if (signature === "none") return `${text}.`
    if (signature === "symmetric") {
      return `${text}.${createHmac("sha256", client.clientSecret).update(text).digest("base64url")}`
    }
    const signed = createSign("RSA-SHA256").update(signature === "broken" ? `${text}!` : text)
    return `${text}.${signed.sign((signature === "foreign" ? foreign : key).privateKey, "base64url")}`
  }

  const discovery = (): Json => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true
  })

  const token = (form: URLSearchParams): readonly [number, Json] => {
    const code = form.get("code") ?? ""
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (form.get("client_secret") !== client.clientSecret) return [401, { error: "invalid_client" }]
    if (grant === undefined || grant.challenge !== challenge) return [400, { error: "invalid_grant" }]
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: issuer, aud: client.clientId, iat: now, exp: now + 300, nonce: grant.nonce, ...grant.claims }
    const claims = lies.claims?.(honest) ?? honest
    const access_token = randomBytes(16).toString("hex")
    people.set(`Bearer ${access_token}`, grant.claims)
    const id_token = sign(claims)
    secrets.push(access_token, id_token)
    return [200, { access_token, token_type: "Bearer", expires_in: 300, id_token }]
  }

  const server = Http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", issuer)
    requests.push(pathname)
    const send = (status: number, body: unknown, headers: Http.OutgoingHttpHeaders = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
    const answer = lies.answer?.(pathname)
    if (answer === "hang") return undefined
    if (answer !== undefined) {
      return send(answer.status, answer.body ?? "", answer.location === undefined ? {} : { location: answer.location })
    }
    if (pathname === "/.well-known/openid-configuration") {
      return send(200, JSON.stringify(lies.discovery?.(discovery()) ?? discovery()))
    }
    if (pathname === "/keys") {
      const jwk = { ...key.publicKey.export({ format: "jwk" }), kid: key.kid, use: "sig", alg: "RS256" }
      return send(200, JSON.stringify({ keys: [jwk] }))
    }
    if (pathname === "/userinfo") {
      const person = people.get(request.headers.authorization ?? "")
      return person === undefined ? send(401, "{}") : send(200, JSON.stringify(person))
    }
    if (pathname !== "/token") return send(404, "{}")
    let text = ""
    request.on("data", (part: Buffer) => (text += part.toString()))
    request.on("end", () => {
      const [status, body] = token(new URLSearchParams(text))
      send(status, JSON.stringify(body))
    })
    return undefined
  })

  return {
    server,
    requests,
    secrets,
    setIssuer: (url: string) => (issuer = url),
    setLies: (given: Lies) => {
      lies = given
      if (given.signature === "foreign") foreign = newKey()
    },
    rotate: () => (key = newKey()),
    /** What a browser brings back from this address of the provider. */
    approve: (address: string, claims: Json): string => {
      const { searchParams: asked } = new URL(address)
      const code = randomBytes(16).toString("hex")
      secrets.push(code)
      grants.set(code, {
        claims,
        nonce: asked.get("nonce") ?? "",
        challenge: asked.get("code_challenge_method") === "S256" ? (asked.get("code_challenge") ?? "") : ""
      })
      const back = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer })
      lies.callback?.(back)
      return `${new URL(asked.get("redirect_uri") ?? "").pathname}?${back.toString()}`
    }
  }
}

const listen = (server: Http.Server) =>
  Effect.acquireRelease(
    Effect.async<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed(`http://127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.async<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )

/**
 * A provider that runs for as long as the program of the test, among its services.
 *
 * @example
 * ```ts
 * import { expect, layer } from "@effect/vitest"
 * import { Effect } from "effect"
 * import { TestApp, TestProvider } from "effect-framework/testing"
 *
 * layer(TestApp.layer([], { services: TestProvider.layer() }))("A sign-in with a provider", (it) => {
 *   it.effect("makes an account", () =>
 *     Effect.gen(function* () {
 *       const provider = yield* TestProvider.TestProvider
 *       const ann = yield* TestApp.guest
 *       yield* provider.signIn(ann, { sub: "ann", email: "ann@example.com" })
 *       expect((yield* ann.get("/account")).text).toContain("ann@example.com")
 *     })
 *   )
 * })
 * ```
 */
export const layer = ({ id = "test", name = "Test", network = "loopback", ...options }: Options = {}) =>
  Layer.scoped(
    TestProvider,
    Effect.gen(function* () {
      const { approve, requests, rotate, secrets, server, setIssuer, setLies } = makeServer()
      const issuer = yield* listen(server)
      setIssuer(issuer)
      const { provider } = yield* Effect.orDie(
        OidcProvider.make({
          ...options,
          id,
          name,
          network,
          issuer,
          clientId: client.clientId,
          clientSecret: Redacted.make(client.clientSecret)
        })
      )
      yield* Effect.flatMap(Providers, ({ add }) => add(provider))
      return TestProvider.of({
        issuer,
        signIn: (browser, claims, form = {}) =>
          Effect.flatMap(browser.submit(`/login/with/${id}`, form), ({ body, location = "", status }) =>
            location.startsWith(issuer)
              ? browser.get(approve(location, claims))
              : Effect.dieMessage(`The button of ${id} returned ${status} ${location}: ${body.slice(0, 300)}`)
          ),
        approve: (address, claims) => Effect.sync(() => approve(address, claims)),
        lie: (lies) => Effect.sync(() => setLies(lies)),
        rotateKeys: Effect.sync(() => void rotate()),
        requests: Effect.sync(() => [...requests]),
        secrets: Effect.sync(() => [...secrets])
      })
    })
  )
