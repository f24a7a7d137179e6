// A shop whose customers have a display name and a role.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { App } from "effect-framework"
import { Profile } from "effect-framework/auth"
import { Html } from "effect-framework/http"
import { SqlProfile } from "effect-framework/layers/auth"
import { Access } from "effect-framework/routes/auth"
import { Page } from "effect-framework/routes/session"

const Name = Schema.Trim.pipe(Schema.length({ min: 1, max: 80 }, { message: () => "Use 1 to 80 characters." }))
const Role = Schema.Literal("customer", "admin")

const Customer = Profile.make({
  signUp: Schema.Struct({ display_name: Name }),
  stored: Schema.Struct({ role: Schema.optionalWith(Role, { default: () => "customer" }) }),
  fields: { display_name: { label: "Display name", autocomplete: "name" }, role: { label: "Role" } },
  name: ({ display_name }) => display_name
})

const table = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE customers (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    display_name TEXT NOT NULL,
    role TEXT NOT NULL
  )`
)

const profile = SqlProfile.layer(Customer, { table: "customers" })

const isAdmin = Effect.map(Customer.current, ({ role }) => role === "admin")

const orders = Effect.flatMap(Customer.current, ({ display_name }) =>
  Page.render({ title: "Orders", main: Html.html`<h1>Orders for ${display_name}</h1>` })
)

const pages = [HttpLayerRouter.route("GET", "/orders", Access.requireThat(isAdmin)(orders))]

const migrations = { "0001_customers": table }

App.run({ name: "Shop", pages, services: profile, migrations })
