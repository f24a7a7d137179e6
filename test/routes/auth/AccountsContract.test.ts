// The document of the account's life cycle tells the truth: every status that it declares is provoked, with the body it says.
import { expect, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, TestClock } from "effect"
import * as OpenApiDocument from "../../../routes/http/OpenApiDocument.ts"
import type { Factors } from "../../../src/auth/Factors.ts"
import type { Users } from "../../../src/auth/Users.ts"
import * as ApiDocument from "../../../src/http/ApiDocument.ts"
import type { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, app, everything } from "../../support/AccountsApp.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import * as PasswordQueue from "../../support/PasswordQueue.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

const document = JSON.parse(JSON.stringify(OpenApiDocument.make([Api]))) as ApiDocument.ApiDocument

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const check = (schema: ApiDocument.JsonSchema, value: unknown): string =>
  ajv.validate({ ...schema, components: document.components }, value)
    ? ""
    : `${ajv.errorsText()} in ${JSON.stringify(value)}`

let count = 0
const fresh = () => `contract-${count++}@example.com`

const linkTo = (email: string, below: string) =>
  Effect.map(
    Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(email)),
    (messages) =>
      messages.flatMap(({ text }) => new RegExp(`${below}/([0-9a-f]{16}/\\S+)`).exec(text)?.[1] ?? []).at(-1) ?? ""
  )

/** What is sent: the payload, and what takes the place of a parameter in the path. */
interface Sent {
  readonly json?: unknown
  readonly handle?: string
}

type Member = TestApp.SignedInClient

const nothing = () => Effect.succeed<Sent>({})

const linkToNew = Effect.fnUntraced(function* (client: Member) {
  const email = fresh()
  yield* client.json("POST", "/api/email", { email })
  return { email, token: yield* linkTo(email, "/account/email") }
})

const undoLink = Effect.fnUntraced(function* (client: Member) {
  const { token } = yield* linkToNew(client)
  yield* client.json("POST", "/api/email/redeem", { token })
  return yield* linkTo(client.user.email, "/account/email/undo")
})

const newApp = Effect.fnUntraced(function* (client: Member) {
  yield* FactorApp.nextCode
  const begun = (yield* client.json("POST", "/api/factors/enrolment")).json as Record<"enrolment" | "secret", string>
  return { enrolment: begun.enrolment, name: "App", code: yield* FactorApp.codeOf(begun.secret) }
})

const bogus = { token: `${"0".repeat(16)}/${"0".repeat(64)}` }

type Prepare = (client: Member) => Effect.Effect<Sent, unknown, CapturedMail | Factors | ServerAddress | Users>

/** For each operation, what makes it succeed. */
const valid: Readonly<Record<string, Prepare>> = {
  email: nothing,
  changeEmail: () => Effect.succeed({ json: { email: fresh() } }),
  cancelEmailChange: nothing,
  redeemEmailChange: (client) => Effect.map(linkToNew(client), ({ token }) => ({ json: { token } })),
  undoEmailChange: (client) => Effect.map(undoLink(client), (token) => ({ json: { token } })),
  deletion: nothing,
  requestDeletion: nothing,
  cancelDeletion: nothing,
  exported: nothing,
  signOutEverywhere: nothing,
  passkeys: (client) => Effect.as(PasskeyUser.add(client), {}),
  passkeyOptions: nothing,
  addPasskey: (client) =>
    Effect.map(PasskeyUser.creationOptions(client), (options) => ({
      json: { name: "Phone", credential: new SoftAuthenticator(TestApp.appUrl).create(options) }
    })),
  renamePasskey: () => Effect.succeed({ json: { name: "Phone" }, handle: "x" }),
  removePasskey: () => Effect.succeed({ handle: "x" }),
  factors: (client) => Effect.as(FactorApp.enrol(client.user), {}),
  beginApp: nothing,
  addApp: (client) => Effect.map(newApp(client), (json) => ({ json })),
  removeApp: () => Effect.succeed({ handle: "x" }),
  renewRecoveryCodes: (client) => Effect.as(FactorApp.enrol(client.user), {}),
  askOnEveryDevice: () => Effect.succeed({ json: { every_device: true } })
}

/** What is invalid, used up, or taken by another. */
const refused: Readonly<Record<string, Prepare>> = {
  "changeEmail 422": () => Effect.succeed({ json: { email: "nobody" } }),
  "redeemEmailChange 410": () => Effect.succeed({ json: bogus }),
  "undoEmailChange 410": () => Effect.succeed({ json: bogus }),
  "redeemEmailChange 409": (client) =>
    Effect.gen(function* () {
      const { email, token } = yield* linkToNew(client)
      yield* TestApp.enrolledUser({ email })
      return { json: { token } }
    }),
  "addPasskey 422": () => Effect.succeed({ json: {} }),
  "renamePasskey 422": () => Effect.succeed({ json: {}, handle: "x" }),
  "addApp 422": () => Effect.succeed({ json: {} }),
  "addApp 410": () => Effect.succeed({ json: { enrolment: "x", name: "App", code: "123456" } }),
  "renewRecoveryCodes 422": nothing
}

// An old address is kept for its account while it can be restored: nothing in this program takes it.
const unreachable = new Set(["undoEmailChange 409"])

const server = TestApp.layerOf(app, { environment: "production", hashing: PasswordQueue.layer, services: everything })

layer(server)("The document of the account's life cycle", (it) => {
  for (const { method, operation, path } of ApiDocument.endpoints(document)) {
    const name = String(operation.operationId).replace(/^accounts\./, "")
    const prepare = valid[name]
    if (prepare === undefined) continue

    const send = Effect.fnUntraced(function* (client: Member, sent: Sent, more: { readonly isForged?: boolean } = {}) {
      const at = path.replace(/\{\w+\}/g, sent.handle ?? "x")
      const isRead = method === "get" || method === "delete"
      if (more.isForged !== true) return yield* client.json(method.toUpperCase(), at, sent.json)
      return yield* client.request(at, { method: method.toUpperCase(), ...(!isRead && { json: sent.json ?? {} }) })
    })

    const provoke = Effect.fnUntraced(function* (status: string) {
      const client = yield* TestApp.signedInUser()
      if (status === "200" || status === "201") return yield* send(client, yield* prepare(client))
      if (status === "401") return yield* send({ ...(yield* TestApp.guest), user: client.user }, {})
      if (status === "403") {
        if (method !== "get") return yield* send(client, {}, { isForged: true })
        yield* TestClock.adjust("10 minutes")
        return yield* send(client, {})
      }
      if (status === "503") {
        const sent = yield* prepare(client)
        return yield* PasswordQueue.full(send(client, sent))
      }
      if (status === "400")
        return yield* client.request(path, {
          method: method.toUpperCase(),
          body: "[",
          headers: {
            accept: "application/json",
            "content-type": "application/json",
            "x-csrf-token": ((yield* client.json("GET", "/csrf")).json as { readonly token: string }).token
          }
        })
      if (status === "429") {
        let last = yield* send(client, {})
        for (let more = 0; more < 20 && last.status !== 429; more++) last = yield* send(client, {})
        return last
      }
      const given = refused[`${name} ${status}`]
      if (given === undefined) return expect.fail(`nothing provokes ${name} ${status}`)
      return yield* send(client, yield* given(client))
    })

    for (const [status, part] of Object.entries(operation.responses)) {
      if (["413", "500", "default"].includes(status) || unreachable.has(`${name} ${status}`)) continue
      // Any program may be too busy; of these operations only this one is by itself.
      if (status === "503" && name !== "undoEmailChange") continue
      // Without a payload there is nothing that cannot be read.
      if (status === "400" && operation.requestBody === undefined) continue
      it.effect(`${name} answers ${status} as it is declared`, () =>
        Effect.gen(function* () {
          const received = yield* provoke(status)
          expect(received.status, received.body).toBe(Number(status))
          const type = (received.headers.get("content-type") ?? "").split(";", 1)[0] ?? ""
          const schema = ApiDocument.responseOf(document, part).content?.[type]?.schema
          if (schema === undefined) return expect.fail(`${type} is not declared`)
          expect(check(schema, received.json)).toBe("")
        })
      )
    }
  }
})
