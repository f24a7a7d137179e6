import { SqlClient } from "@effect/sql"
import { afterAll, expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema, TestClock } from "effect"
import { Job, Jobs } from "effect-framework/jobs"
import { CapturedMail, TestApp, TestJobs } from "effect-framework/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { app, migrations, services, tables } from "../src/App.ts"

const pictures = mkdtempSync(join(tmpdir(), "pictures-"))
afterAll(() => rmSync(pictures, { recursive: true }))

const product = Effect.fn(function* (name: string, stock: number) {
  const sql = yield* SqlClient.SqlClient
  const values = { name, price: 1250, stock, picture: "none.png" }
  const [row] = yield* sql<{ id: number }>`INSERT INTO products ${sql.insert(values)} RETURNING id`
  return `/products/${row?.id}`
})

const signedIn = (role: "customer" | "admin") =>
  Effect.flatMap(TestApp.enrolledUser({ profile: { display_name: "Ann", role } }), TestApp.signedInUser)

const teapot = (bytes: string) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: "Blue <pot>", price: "12.50", stock: "3" }))
    form.append(name, value)
  form.append("picture", new Blob([Buffer.from(bytes, "hex")], { type: "image/png" }), "pot.png")
  return form
}

const Brew = Job.make("brew", { payload: Schema.Struct({ secret: Schema.String }) })

const brewing = Job.toLayer(Brew, () => new Job.Discard({ reason: "no water" }))

const served = TestApp.layerOf(app, { migrations, tables, services: Layer.merge(services(pictures), brewing) })

layer(served)("the shop", (it) => {
  it.effect("shows the administration to admins alone", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/admin")).location).toBe("/login")
      const customer = yield* signedIn("customer")
      expect((yield* customer.get("/admin")).status).toBe(403)
      expect((yield* customer.submit("/admin", teapot("89504e470d0a1a0a"))).status).toBe(403)
      expect((yield* (yield* signedIn("admin")).get("/admin")).status).toBe(200)
    })
  )

  it.effect("keeps the picture of a product, and serves it as what it is", () =>
    Effect.gen(function* () {
      const client = yield* signedIn("admin")
      const { location = "" } = yield* client.submit("/admin", teapot("89504e470d0a1a0a0000000d49484452"))
      const page = yield* client.get(location)
      expect(page.text).toContain("Blue <pot>")
      const [, path = ""] = /src="(\/pictures\/[^"]+)"/.exec(page.body) ?? []
      const { headers, status } = yield* client.get(path)
      expect([status, headers.get("content-type")]).toEqual([200, "image/png"])
      expect((yield* client.get("/pictures/..%2Fshop.sqlite")).status).toBe(404)
      expect((yield* client.submit("/admin", teapot("474946383961"))).status).toBe(415)
    })
  )

  it.effect("sells the last piece once", () =>
    Effect.gen(function* () {
      const path = yield* product("The last pot", 1)
      const customers = yield* Effect.all([signedIn("customer"), signedIn("customer")])
      const orders = customers.map((customer) => customer.json("POST", `${path}/orders`, { quantity: "1" }))
      const responses = yield* Effect.all(orders, { concurrency: 2 })
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
    })
  )

  it.effect("confirms an order in the language of the customer", () =>
    Effect.gen(function* () {
      const path = yield* product("Green pot", 5)
      const customer = yield* signedIn("customer")
      customer.headers.set("accept-language", "de")
      yield* customer.submit(`${path}/orders`, { quantity: "2" })
      const { messagesTo } = yield* CapturedMail.CapturedMail
      expect(yield* messagesTo(customer.user.email)).toMatchObject([
        { text: "Guten Tag Ann, vielen Dank für Ihre Bestellung: 2 × Green pot für 25,00\u00a0€.\n" }
      ])
    })
  )

  it.effect("writes the report of a day once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(Date.parse("2026-11-20T12:00:00Z"))
      yield* TestJobs.run
      yield* TestClock.setTime(Date.parse("2026-11-21T00:00:05Z"))
      yield* TestJobs.run
      yield* TestJobs.run
      expect(yield* sql`SELECT day FROM reports`).toEqual([{ day: "2026-11-21" }])
    })
  )

  it.effect("shows jobs to admins alone, without their payload, and starts and cancels them", () =>
    Effect.gen(function* () {
      const { find } = yield* Jobs.Jobs
      const enqueued = Effect.map(Jobs.enqueue(Brew, { secret: "camellia" }), Option.getOrThrow)
      const id = yield* enqueued
      yield* TestJobs.run
      const [guest, customer, admin] = [yield* TestApp.guest, yield* signedIn("customer"), yield* signedIn("admin")]
      for (const path of ["/admin/jobs", `/admin/jobs/${id}`]) {
        expect((yield* guest.get(path)).location).toBe("/login")
        expect((yield* customer.get(path)).status).toBe(403)
      }
      expect((yield* customer.submit(`/admin/jobs/${id}/retry`, {})).status).toBe(403)
      expect((yield* admin.get("/admin/jobs?state=discarded")).text).toContain("no water")
      expect((yield* admin.get("/admin/jobs?state=nothing")).text).toContain("There are none.")
      const page = yield* admin.get(`/admin/jobs/${id}`)
      expect(page.text).toContain("••••••••")
      expect(page.text).not.toContain("camellia")
      expect((yield* admin.submit(`/admin/jobs/${id}/retry`, {})).location).toBe(`/admin/jobs/${id}`)
      expect(Option.map(yield* find(id), ({ state }) => state)).toEqual(Option.some("ready"))
      yield* admin.submit(`/admin/jobs/${id}/cancel`, {})
      expect(Option.map(yield* find(id), ({ state }) => state)).toEqual(Option.some("cancelled"))
      // A second click, or another admin's: nothing happens twice.
      yield* admin.submit(`/admin/jobs/${id}/cancel`, {})
      expect((yield* admin.get(`/admin/jobs/${id}`)).text).toContain("in another state by now")
      expect((yield* admin.get("/admin/jobs/none")).status).toBe(404)
    })
  )

  it.effect("pauses a queue for admins, by a form with a token", () =>
    Effect.gen(function* () {
      const { paused } = yield* Jobs.Jobs
      yield* Jobs.enqueue(Brew, { secret: "camellia" })
      const [customer, admin] = [yield* signedIn("customer"), yield* signedIn("admin")]
      expect((yield* customer.submit("/admin/queues/default/pause", {})).status).toBe(403)
      expect((yield* admin.submit("/admin/queues/default/pause", { _token: "" })).status).toBe(403)
      expect(yield* paused).toEqual([])
      yield* admin.submit("/admin/queues/default/pause", {})
      expect(yield* paused).toEqual(["default"])
      yield* TestJobs.run
      expect(yield* TestJobs.enqueued(Brew)).toHaveLength(1)
      expect((yield* admin.get("/admin/jobs")).text).toContain("paused")
      yield* admin.submit("/admin/queues/default/resume", {})
      yield* TestJobs.run
      expect(yield* TestJobs.enqueued(Brew)).toEqual([])
    })
  )
})
