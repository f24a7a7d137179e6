import { SqlClient } from "@effect/sql"
import { afterAll, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CapturedMail, TestApp } from "effect-framework/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { app, migrations, services, tables } from "../src/App.ts"
import * as StockReport from "../src/StockReport.ts"

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

layer(TestApp.layerOf(app, { migrations, tables, services: services(pictures) }))("the shop", (it) => {
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
      yield* Effect.all([StockReport.write, StockReport.write], { concurrency: 2 })
      expect(yield* sql`SELECT day FROM reports`).toHaveLength(1)
    })
  )
})
