import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const scopes = ApiScopes.make({ "notes:read": "Read your notes" })

const path = "/account/activity"

const eventsOf = Effect.fnUntraced(function* ({ email }: { readonly email: string }) {
  const { id } = yield* Effect.flatten(Effect.flatMap(Users, ({ fetch }) => fetch(email)))
  return (yield* Effect.flatMap(SecurityEvents, ({ list }) => list(id))).items
})

const names = (person: { readonly email: string }) =>
  Effect.map(eventsOf(person), (items) => items.map(({ _tag }) => _tag))

/** How many events a page shows, and where it leads on. */
const shown = (visitor: Visitor.Visitor, to: string) =>
  Effect.map(visitor.get(to), ({ body }) => ({
    events: body.match(/<strong>/g)?.length,
    next: /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll("&amp;", "&")
  }))

describeDatabases("The activity of an account", (database) => {
  layer(AuthApp.layer(database, { scopes }))((it) => {
    it.effect("is for its owner alone", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const guest = Visitor.make(app.url)
        expect((yield* guest.get("/account/activity")).location).toBe("/login")
        expect((yield* guest.json("GET", "/account/activity")).status).toBe(401)
        const { person, visitor } = yield* AuthApp.register()
        yield* AuthApp.register()
        expect(yield* names(person)).toEqual(["SignedUp"])
        expect((yield* shown(visitor, path)).events).toBe(1)
        const page = yield* visitor.get(path)
        expect(page.headers.get("cache-control")).toContain("no-store")
      })
    )

    it.effect("has the sign-ins, right and wrong, with their place", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const stranger = yield* AuthApp.signIn({ ...person, password: "not this password" })
        expect(stranger.response.status).toBe(401)
        yield* app.settled
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        const items = yield* eventsOf(person)
        expect(items.map(({ _tag, outcome }) => [_tag, outcome])).toEqual([
          ["SignedIn", "success"],
          ["DeviceTrusted", "success"],
          ["SignInFailed", "failure"],
          ["SignedUp", "success"]
        ])
        expect(items[0]?.device.address).toBe(visitor.address)
        expect(items[2]?.device.address).toBe(stranger.visitor.address)
        const page = yield* visitor.read("/account/activity")
        expect(page).toContain("Signed in with the password.")
        expect(page).toContain("Someone tried to sign in with a wrong password. failed")
        expect(page).toContain(stranger.visitor.address)
      })
    )

    it.effect("has sign-outs, ended sessions, the confirmed address, tokens and new passwords", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* AuthApp.register()
        yield* visitor.get(yield* app.linkTo(person.email))
        const other = (yield* AuthApp.signIn(person)).visitor
        yield* visitor.get("/account")
        yield* visitor.submit("/account/others", {})
        const token = { name: "Backup", days: "30", "scope notes:read": "1", current: person.password }
        const made = yield* visitor.submit("/account/tokens", token)
        const handle = /name="handle" value="([^"]+)"/.exec(made.body)?.[1] ?? ""
        yield* visitor.submit("/account/tokens/revoke", { handle })
        yield* visitor.submit("/account/tokens/revoke", { handle })
        const password = "another quiet harbour"
        yield* visitor.json("POST", "/password", { current: person.password, password })
        expect(yield* names(person)).toEqual([
          "PasswordChanged",
          "TokenRevoked",
          "TokenCreated",
          "SessionsEnded",
          "SignedIn",
          "EmailVerified",
          "SignedUp"
        ])
        const link = yield* AuthApp.recoveryLink(person.email)
        const mailbox = Visitor.make(app.url)
        expect((yield* mailbox.json("POST", link, { password: "third quiet harbour" })).status).toBe(200)
        const back = (yield* AuthApp.signIn({ ...person, password: "third quiet harbour" })).visitor
        yield* back.get("/account")
        yield* back.submit("/logout", {})
        const last = (yield* AuthApp.signIn({ ...person, password: "third quiet harbour" })).visitor
        expect((yield* names(person)).slice(0, 4)).toEqual(["SignedIn", "SignedOut", "SignedIn", "PasswordReset"])
        expect(other.address).not.toBe(last.address)
      })
    )

    it.effect("is read page by page", () =>
      Effect.gen(function* () {
        const { visitor } = yield* AuthApp.register()
        for (let turn = 0; turn < 3; turn++) {
          yield* visitor.get("/account")
          yield* visitor.submit("/account/others", {})
        }
        const first = yield* shown(visitor, `${path}?limit=3`)
        expect(first).toEqual({ events: 3, next: expect.stringMatching(/^\/account\/activity\?limit=3&cursor=/) })
        expect(yield* shown(visitor, `${first.next}`)).toEqual({ events: 1, next: undefined })
        expect((yield* visitor.get(`${first.next}`)).text).toContain("The account was created.")
        for (const cursor of ["x", "%00", "WzFd"]) {
          expect((yield* visitor.get(`${path}?cursor=${cursor}`)).status, cursor).toBe(400)
        }
        expect((yield* visitor.get(`${first.next}x`)).status).toBe(400)
      })
    )

    it.effect("is linked from the account", () =>
      Effect.gen(function* () {
        const { visitor } = yield* AuthApp.register()
        expect((yield* visitor.get("/account")).body).toContain('href="/account/activity"')
      })
    )
  })
})
