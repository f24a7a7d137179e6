import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const scopes = ApiScopes.make({ "notes:read": "Read your notes" })

const Body = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      _tag: Schema.String,
      outcome: Schema.String,
      actor: Schema.String,
      text: Schema.String,
      place: Schema.Struct({ peer: Schema.String, agent: Schema.String })
    })
  ),
  limit: Schema.Int,
  next: Schema.NullOr(Schema.String)
})

const activity = Effect.fnUntraced(function* (visitor: Visitor.Visitor, query = "") {
  const { json, status } = yield* visitor.json("GET", `/account/activity${query}`)
  expect(status).toBe(200)
  return Schema.decodeUnknownSync(Body)(json)
})

const names = (visitor: Visitor.Visitor) =>
  Effect.map(activity(visitor, "?limit=100"), ({ items }) => items.map(({ _tag }) => _tag))

describeDatabases("The activity of an account", (database) => {
  layer(AuthApp.layer(database, { scopes }))((it) => {
    it.effect("is for its owner alone", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const guest = Visitor.make(app.url)
        expect((yield* guest.get("/account/activity")).location).toBe("/login")
        expect((yield* guest.json("GET", "/account/activity")).status).toBe(401)
        const { visitor } = yield* AuthApp.register(app)
        yield* AuthApp.register(app)
        expect(yield* names(visitor)).toEqual(["SignedUp"])
        const page = yield* visitor.get("/account/activity")
        expect(page.headers.get("cache-control")).toContain("no-store")
      })
    )

    it.effect("has the sign-ins, right and wrong, with their place", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register(app)
        const stranger = yield* AuthApp.signIn(app, { ...person, password: "not this password" })
        expect(stranger.response.status).toBe(401)
        yield* app.settled
        const { visitor } = yield* AuthApp.signIn(app, person, { remember: "1" })
        const { items } = yield* activity(visitor)
        expect(items.map(({ _tag, outcome }) => [_tag, outcome])).toEqual([
          ["SignedIn", "success"],
          ["DeviceTrusted", "success"],
          ["SignInFailed", "failure"],
          ["SignedUp", "success"]
        ])
        expect(items[0]?.place.peer).toBe(visitor.address)
        expect(items[2]?.place.peer).toBe(stranger.visitor.address)
        const page = yield* visitor.read("/account/activity")
        expect(page).toContain("Signed in with the password.")
        expect(page).toContain("Someone tried to sign in with a wrong password. failed")
        expect(page).toContain(stranger.visitor.address)
      })
    )

    it.effect("has sign-outs, ended sessions, the confirmed address, tokens and new passwords", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* AuthApp.register(app)
        yield* visitor.get(AuthApp.linkIn((yield* app.messagesTo(person.email))[0]))
        const other = (yield* AuthApp.signIn(app, person)).visitor
        yield* visitor.get("/account")
        yield* visitor.submit("/account/others", {})
        const token = { name: "Backup", scopes: ["notes:read"], current: person.password }
        const made = yield* visitor.json("POST", "/account/tokens", token)
        const { handle } = Schema.decodeUnknownSync(Schema.Struct({ handle: Schema.String }))(made.json)
        yield* visitor.json("POST", "/account/tokens/revoke", { handle })
        yield* visitor.json("POST", "/account/tokens/revoke", { handle })
        const password = "another quiet harbour"
        yield* visitor.json("POST", "/password", { current: person.password, password })
        expect(yield* names(visitor)).toEqual([
          "PasswordChanged",
          "TokenRevoked",
          "TokenCreated",
          "SessionsEnded",
          "SignedIn",
          "EmailVerified",
          "SignedUp"
        ])
        const link = yield* AuthApp.recoveryLink(app, person.email)
        const mailbox = Visitor.make(app.url)
        expect((yield* mailbox.json("POST", link, { password: "third quiet harbour" })).status).toBe(200)
        const back = (yield* AuthApp.signIn(app, { ...person, password: "third quiet harbour" })).visitor
        yield* back.get("/account")
        yield* back.submit("/logout", {})
        const last = (yield* AuthApp.signIn(app, { ...person, password: "third quiet harbour" })).visitor
        expect((yield* names(last)).slice(0, 4)).toEqual(["SignedIn", "SignedOut", "SignedIn", "PasswordReset"])
        expect(other.address).not.toBe(last.address)
      })
    )

    it.effect("is read page by page, also in German", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { visitor } = yield* AuthApp.register(app)
        for (let turn = 0; turn < 3; turn++) {
          yield* visitor.get("/account")
          yield* visitor.submit("/account/others", {})
        }
        const first = yield* activity(visitor, "?limit=3")
        expect(first.items.map(({ _tag }) => _tag)).toEqual(["SessionsEnded", "SessionsEnded", "SessionsEnded"])
        const rest = yield* activity(visitor, `?limit=3&cursor=${first.next}`)
        expect([rest.items.map(({ _tag }) => _tag), rest.next]).toEqual([["SignedUp"], null])
        const page = yield* visitor.get("/account/activity?limit=3")
        expect(page.body).toContain(`href="/account/activity?limit=3&amp;cursor=${first.next}"`)
        for (const cursor of ["x", "%00", "WzFd", `${first.next}x`]) {
          expect((yield* visitor.get(`/account/activity?cursor=${cursor}`)).status, cursor).toBe(400)
        }
      })
    )

    it.effect("is linked from the account", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { visitor } = yield* AuthApp.register(app)
        expect((yield* visitor.get("/account")).body).toContain('href="/account/activity"')
      })
    )
  })
})
