// The group of accounts in an API: what its document declares, and the typed fields of a profile.
import { HttpApi, OpenApi } from "@effect/platform"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, someone } from "../../support/AccountsApp.ts"
import { Customer, describeProfiles, migrations } from "../../support/ProfileApp.ts"

const declared = {
  "POST /api/sign-up": [201, 400, 403, 422, 429, 503],
  "POST /api/bearer/sign-up": [201, 400, 403, 422, 429, 503],
  "GET /api/csrf": [200, 400],
  "POST /api/sign-in": [200, 202, 400, 401, 403, 422, 429, 503],
  "POST /api/bearer/sign-in": [200, 202, 400, 401, 403, 422, 429, 503],
  "POST /api/sign-in/factor": [200, 400, 401, 403, 410, 422, 429],
  "POST /api/bearer/sign-in/factor": [200, 400, 401, 403, 410, 422, 429],
  "POST /api/sign-in/factor/passkey/options": [200, 400, 403, 410, 429],
  "POST /api/sign-in/factor/passkey": [200, 400, 401, 403, 410, 422, 429],
  "POST /api/bearer/sign-in/factor/passkey/options": [200, 400, 410, 422, 429],
  "POST /api/bearer/sign-in/factor/passkey": [200, 400, 401, 403, 410, 422, 429],
  "POST /api/sign-in/passkey/options": [200, 400, 403, 429],
  "POST /api/sign-in/passkey": [200, 400, 401, 403, 422, 429],
  "POST /api/bearer/sign-in/passkey/options": [200, 400, 429],
  "POST /api/bearer/sign-in/passkey": [200, 400, 401, 403, 422, 429],
  "GET /api/providers": [200, 400],
  "POST /api/sign-in/with/{provider}": [200, 400, 403, 422, 429, 503],
  "POST /api/bearer/sign-in/with/{provider}": [200, 400, 422, 429, 503],
  "POST /api/sign-in/provider": [200, 202, 400, 401, 403, 410, 422, 429],
  "POST /api/bearer/sign-in/provider": [200, 202, 400, 401, 403, 410, 422, 429],
  "POST /api/sign-up/provider": [201, 202, 400, 403, 410, 422, 429],
  "POST /api/bearer/sign-up/provider": [201, 202, 400, 403, 410, 422, 429],
  "GET /api/identities": [200, 400, 401, 403],
  "POST /api/identities/with/{provider}": [200, 400, 401, 403, 422, 429, 503],
  "POST /api/identities": [201, 400, 401, 403, 409, 410, 422, 429],
  "DELETE /api/identities/{handle}": [200, 400, 401, 403, 409, 429],
  "POST /api/confirm/with/{provider}": [200, 400, 401, 403, 422, 429, 503],
  "POST /api/confirm/provider": [200, 400, 401, 403, 410, 422, 429],
  "GET /api/sign-in/factor/recovery": [200, 400, 410],
  "POST /api/bearer/sign-in/factor/recovery/state": [200, 400, 410, 422],
  "POST /api/sign-in/factor/recovery": [202, 400, 403, 410, 429, 503],
  "POST /api/bearer/sign-in/factor/recovery": [202, 400, 403, 410, 422, 429, 503],
  "POST /api/factor-recovery/cancel": [200, 400, 410, 422, 429],
  "POST /api/factor-recovery/complete": [200, 400, 403, 410, 422, 429, 503],
  "POST /api/sign-out": [200, 400, 401, 403],
  "GET /api/me": [200, 400, 401, 403],
  "PUT /api/password": [200, 400, 401, 403, 422, 429, 503],
  "GET /api/sign-in-methods": [200, 400, 401, 403],
  "POST /api/password": [200, 400, 401, 403, 422, 429, 503],
  "POST /api/password/remove": [200, 400, 401, 403, 409, 422, 429, 503],
  "POST /api/confirm": [200, 400, 401, 403, 422, 429, 503],
  "POST /api/confirm/passkey/options": [200, 400, 401, 403, 429],
  "POST /api/confirm/passkey": [200, 400, 401, 403, 422, 429],
  "POST /api/password/forgot": [200, 400, 403, 422, 429],
  "POST /api/password/reset": [200, 400, 403, 410, 422, 429, 503],
  "POST /api/verification": [200, 400, 401, 403, 429],
  "POST /api/verification/redeem": [200, 400, 401, 403, 410, 422, 429],
  "GET /api/sessions": [200, 400, 401, 403],
  "DELETE /api/sessions/{handle}": [200, 400, 401, 403],
  "DELETE /api/sessions": [200, 400, 401, 403],
  "GET /api/devices": [200, 400, 401, 403],
  "DELETE /api/devices/{selector}": [200, 400, 401, 403],
  "GET /api/activity": [200, 400, 401, 403],
  "GET /api/tokens": [200, 400, 401, 403],
  "POST /api/tokens": [201, 400, 401, 403, 422, 429, 503],
  "DELETE /api/tokens/{handle}": [200, 400, 401, 403],
  "POST /api/sign-out/everywhere": [200, 400, 401, 403],
  "GET /api/email": [200, 400, 401, 403],
  "POST /api/email": [200, 400, 401, 403, 422, 429],
  "DELETE /api/email": [200, 400, 401, 403],
  "POST /api/email/redeem": [200, 400, 401, 403, 409, 410, 422, 429],
  "POST /api/email/undo": [200, 400, 403, 409, 410, 422, 429],
  "GET /api/deletion": [200, 400, 401, 403],
  "POST /api/deletion": [200, 400, 401, 403, 429],
  "DELETE /api/deletion": [200, 400, 401, 403],
  "GET /api/export": [200, 400, 401, 403, 429],
  "GET /api/passkeys": [200, 400, 401, 403],
  "POST /api/passkeys/options": [200, 400, 401, 403, 429],
  "POST /api/passkeys": [201, 400, 401, 403, 422, 429],
  "PATCH /api/passkeys/{handle}": [200, 400, 401, 403, 422],
  "DELETE /api/passkeys/{handle}": [200, 400, 401, 403, 409],
  "GET /api/factors": [200, 400, 401, 403],
  "POST /api/factors/enrolment": [200, 400, 401, 403],
  "POST /api/factors": [201, 400, 401, 403, 410, 422, 429],
  "DELETE /api/factors/{handle}": [200, 400, 401, 403],
  "POST /api/factors/recovery-codes": [201, 400, 401, 403, 422, 429],
  "PUT /api/factors/every-device": [200, 400, 401, 403, 422]
}

describe("The document of accounts", () => {
  const document = OpenApi.fromApi(Api)

  it("declares each status of each operation", () => {
    const found = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        Object.keys((operation as { readonly responses: object }).responses).map(Number)
      ])
    )
    expect(Object.fromEntries(found)).toEqual(declared)
  })

  it("describes every operation, and shows no password but examples", () => {
    for (const operations of Object.values(document.paths)) {
      for (const operation of Object.values(operations)) expect(operation).toHaveProperty("summary")
    }
    expect(JSON.stringify(document)).toContain('"format":"password"')
  })
})

const ProfileApi = HttpApi.make("profile-api").add(AccountsApi.groupWith(Customer)).prefix("/api")

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(ProfileApi)])

const handlers = ApiHandlers.layer(ProfileApi).pipe(
  Layer.provide(AccountsApi.layer(ProfileApi)),
  Layer.provide(ApiAuthentication.layer)
)

describeProfiles("The profile in the API of accounts", (variant) => {
  const profiles = SqlProfile.layer(Customer, { ...variant.profile, tables: variant.tables })
  const server = TestApp.layerOf(app, {
    database: variant.database.layerEmpty,
    tables: variant.tables,
    migrations: migrations(variant),
    services: Layer.provideMerge(handlers, profiles)
  })

  layer(server)((it) => {
    it.effect("is given at sign-up and read with its types", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const api = yield* TestApp.apiClient(ProfileApi, client)
        const payload = { ...someone(), display_name: "Ann", colour: "blue" as const }
        const account = yield* api.accounts.signUp({ payload })
        const profile = { display_name: "Ann", colour: "blue", role: "member", is_vip: false, points: 0 }
        expect(account.profile).toEqual(profile)
        const me = yield* api.accounts.me()
        const role: "member" | "admin" | undefined = me.profile?.role
        expect([me.profile, role]).toEqual([profile, "member"])
        const made = yield* api.accounts.signUpBearer({ payload: { ...someone(), display_name: "Ben" } })
        expect(made.account.profile).toMatchObject({ display_name: "Ben", role: "member" })
      })
    )

    it.effect("is validated by its schema, and no visitor chooses a stored field", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const { email } = someone()
        const password = "quiet harbour"
        const invalid = yield* client.json("POST", "/api/sign-up", {
          email,
          password,
          display_name: "",
          colour: "mauve"
        })
        expect([invalid.status, Object.keys((invalid.json as { readonly fields: object }).fields)]).toEqual([
          422,
          ["colour", "display_name"]
        ])
        const admin = { email, password, display_name: "Eve", role: "admin", points: 9, is_vip: true }
        const made = yield* client.json("POST", "/api/sign-up", admin)
        expect(made.json).toMatchObject({ profile: { role: "member", points: 0, is_vip: false } })
      })
    )
  })
})
