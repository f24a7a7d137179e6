// The accounts as pages and as an API on one real server, over a real database.
import { HttpApi } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import * as AccountDeletion from "../../routes/auth/AccountDeletion.ts"
import * as AccountsApi from "../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../routes/auth/ApiAuthentication.ts"
import * as LostFactors from "../../routes/auth/LostFactors.ts"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as ApiScopes from "../../src/auth/ApiScopes.ts"
import { CapturedMail } from "../../testing/CapturedMail.ts"
import * as TestApp from "../../testing/TestApp.ts"
import type { TestEngine } from "./Databases.ts"

export const Api = HttpApi.make("accounts-api").add(AccountsApi.group).prefix("/api")

export const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api)])

/** What the API tokens of the program may do. */
export const Scopes = ApiScopes.make({ "notes:read": "Read your notes", "notes:write": "Change your notes" })

/** The handlers, over the stores of the program. */
export const handlers = ApiHandlers.layer(Api).pipe(
  Layer.provide(AccountsApi.layer(Api)),
  Layer.provide(ApiAuthentication.layer)
)

/** The handlers in a program that offers scopes. */
export const services = Layer.merge(handlers, Scopes.layer)

/** The handlers in a program that also deletes accounts, and recovers those without factors. */
export const everything = Layer.merge(services, Layer.merge(AccountDeletion.layer, LostFactors.layer))

/** The server. */
export const layer = (database: TestEngine, options: Pick<TestApp.Options, "hashing" | "settings"> = {}) =>
  TestApp.layerOf(app, { environment: "production", ...options, database: database.layer, services: everything })

let count = 0

/** Someone who has no account yet, as a payload. */
export const someone = () => ({
  email: `api-${++count}@example.com`,
  password: Redacted.make(`quiet harbour ${count}`)
})

/** The token of the link in the last message to this address, as it stands in the link. */
export const tokenTo = (email: string) =>
  Effect.flatMap(CapturedMail, ({ linkTo }) =>
    Effect.map(linkTo(email), (path) => Redacted.make(path.split("/").slice(-2).join("/")))
  )
