// Who holds what of a person, alone and in pairs: what they reach, what they do not, and what the owner is told, over real
// sockets. The table of docs/security.md says it in words; a row here is a row there.
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ScopeAuthentication from "../../../routes/auth/ScopeAuthentication.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, everything, Scopes } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Thief from "../../support/Thief.ts"

const Notes = HttpApi.make("notes").add(
  HttpApiGroup.make("notes").add(
    HttpApiEndpoint.get("read", "/notes")
      .addSuccess(Schema.String)
      .middleware(ScopeAuthentication.requires(Scopes, "notes:read"))
  )
)

const notes = ApiHandlers.layer(Notes).pipe(
  Layer.provide(ApiHandlers.group(Notes, "notes", (group) => group.handle("read", () => Effect.succeed("tea")))),
  Layer.provide(ScopeAuthentication.layer(Scopes))
)

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api), ...Pipeline.api(Notes)])

/** The messages to the address of the account, by one word each. */
const subjects: Readonly<Record<string, string>> = {
  "Choose a new password": "link",
  "Your password was reset": "reset",
  "Your password was changed": "changed",
  "Your e-mail address was changed": "address",
  "A sign-in method was removed": "removed",
  "New sign-in to your account": "sign-in",
  "Your account was used from a copied cookie": "theft",
  "Somebody says that your second factors are lost": "lost",
  "Remove your lost second factors": "removal"
}

/** What is reached in an account without a second factor, and in one with an app and a passkey; what each owner is told. */
type Row = readonly [plain: string, guarded: string, toldPlain: string, toldGuarded: string]

const rows: Readonly<Record<string, Row>> = {
  address: ["", "", "", ""],
  mailbox: [
    "account confirmed password",
    "account confirmed password late",
    "link reset sign-in",
    "link lost removal removed reset sign-in"
  ],
  password: ["account confirmed password", "", "changed sign-in", ""],
  "session cookie": ["account", "account", "", ""],
  "remember cookie": ["account", "account", "", ""],
  "API token": ["endpoints", "endpoints", "", ""],
  "unlocked device": ["account", "account confirmed password factors", "", "address removed sign-in"],
  "copy of the database": ["", "", "theft", "theft"],
  "address + mailbox": [
    "account confirmed password",
    "account confirmed password late",
    "link reset sign-in",
    "link lost removal removed reset sign-in"
  ],
  "address + password": ["account confirmed password", "", "changed sign-in", ""],
  "address + session cookie": ["account", "account", "", ""],
  "address + remember cookie": ["account", "account", "", ""],
  "address + API token": ["endpoints", "endpoints", "", ""],
  "address + unlocked device": ["account", "account confirmed password factors", "", "address removed sign-in"],
  "address + copy of the database": ["", "", "theft", "theft"],
  "mailbox + password": [
    "account confirmed password",
    "account confirmed password late",
    "changed sign-in",
    "changed lost removal removed sign-in"
  ],
  "mailbox + session cookie": [
    "account confirmed password",
    "account confirmed password late",
    "link reset sign-in",
    "link lost removal removed reset sign-in"
  ],
  "mailbox + remember cookie": [
    "account confirmed password",
    "account confirmed password late",
    "link reset sign-in",
    "link lost removal removed reset sign-in"
  ],
  "mailbox + API token": [
    "endpoints account confirmed password",
    "endpoints account confirmed password late",
    "link reset sign-in",
    "link lost removal removed reset sign-in"
  ],
  "mailbox + unlocked device": [
    "account confirmed password",
    "account confirmed password factors",
    "link reset sign-in",
    "address removed sign-in"
  ],
  "mailbox + copy of the database": [
    "account confirmed password",
    "account confirmed password factors",
    "link reset sign-in theft",
    "link removed reset sign-in theft"
  ],
  "password + session cookie": [
    "account confirmed password",
    "account confirmed password factors",
    "changed sign-in",
    "changed removed sign-in"
  ],
  "password + remember cookie": [
    "account confirmed password",
    "account confirmed password factors",
    "changed sign-in",
    "changed removed sign-in"
  ],
  "password + API token": ["endpoints account confirmed password", "endpoints", "changed sign-in", ""],
  "password + unlocked device": [
    "account confirmed password",
    "account confirmed password factors",
    "changed sign-in",
    "changed removed sign-in"
  ],
  "password + copy of the database": [
    "account confirmed password",
    "account confirmed password factors",
    "changed sign-in theft",
    "changed removed sign-in theft"
  ],
  "session cookie + remember cookie": ["account", "account", "", ""],
  "session cookie + API token": ["endpoints account", "endpoints account", "", ""],
  "session cookie + unlocked device": ["account", "account confirmed password factors", "", "address removed sign-in"],
  "session cookie + copy of the database": [
    "account",
    "account confirmed password factors",
    "theft",
    "address removed"
  ],
  "remember cookie + API token": ["endpoints account", "endpoints account", "", ""],
  "remember cookie + unlocked device": ["account", "account confirmed password factors", "", "address removed sign-in"],
  "remember cookie + copy of the database": [
    "account",
    "account confirmed password factors",
    "theft",
    "address removed"
  ],
  "API token + unlocked device": [
    "endpoints account",
    "endpoints account confirmed password factors",
    "",
    "address removed sign-in"
  ],
  "API token + copy of the database": ["endpoints", "endpoints", "theft", "theft"],
  "unlocked device + copy of the database": [
    "account",
    "account confirmed password factors",
    "theft",
    "address removed sign-in"
  ]
}

// Two things together that reach more than each of them: all of an account with a second factor.
const more = [
  "mailbox + copy of the database",
  "password + session cookie",
  "password + remember cookie",
  "password + copy of the database",
  "session cookie + copy of the database",
  "remember cookie + copy of the database"
]

const pairs = Thief.holdings.flatMap((one, at) => Thief.holdings.slice(at + 1).map((other) => [one, other] as const))

const all: ReadonlyArray<ReadonlyArray<Thief.Holding>> = [...Thief.holdings.map((one) => [one]), ...pairs]

it("The table has everything that can be held, alone and in pairs", () => {
  expect(Object.keys(rows)).toEqual(all.map((held) => held.join(" + ")))
})

it("No other pair gives more than its parts", () => {
  const goals = (name: string, kind: 0 | 1) => (rows[name]?.[kind] ?? "").split(" ").filter((goal) => goal !== "")
  const found = pairs.filter(([one, other]) =>
    ([0, 1] as const).some((kind) => {
      const parts = new Set([...goals(one, kind), ...goals(other, kind)])
      return goals(`${one} + ${other}`, kind).some((goal) => !parts.has(goal))
    })
  )
  expect(found.map((pair) => pair.join(" + "))).toEqual(more)
})

describeDatabases("Someone who holds", (database) => {
  const services = Layer.merge(everything, notes)
  layer(TestApp.layerOf(app, { environment: "production", database: database.layer, services }))((it) => {
    for (const held of all) {
      const name = held.join(" + ")
      it.effect(name, () =>
        Effect.gen(function* () {
          const plain = yield* Thief.attack(yield* Thief.victim(false), held)
          const guarded = yield* Thief.attack(yield* Thief.victim(true), held)
          const told = [plain, guarded].map((one) => one.told.map((subject) => subjects[subject] ?? subject).sort())
          expect([plain.reached, guarded.reached, ...told.map((words) => words.join(" "))]).toEqual(rows[name])
        })
      )
    }
  })
})
