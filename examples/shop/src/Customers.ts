// The accounts of the shop: a display name that customers choose, and a role that they cannot.
import { Args, Command } from "@effect/cli"
import { SqlClient } from "@effect/sql"
import { Console, Effect, Schema } from "effect"
import { Profile } from "effect-framework/auth"
import { SqlProfile } from "effect-framework/layers/auth"
import { Access } from "effect-framework/routes/auth"
import { tables } from "./Tables.ts"
import { ShopTexts } from "./Texts.ts"

// One text for both languages: the schema of a sign-up has one.
const Name = Schema.Trim.pipe(Schema.pattern(/^\P{C}{1,80}$/u))
const Role = Schema.Literal("customer", "admin")

export const Customer = Profile.make({
  signUp: Schema.Struct({ display_name: Name }),
  stored: Schema.Struct({ role: Schema.optionalWith(Role, { default: () => "customer" }) }),
  fields: ({ texts }) => ({
    display_name: { label: texts(ShopTexts).displayName, error: texts(ShopTexts).wrongName, autocomplete: "name" },
    role: { label: texts(ShopTexts).role, options: texts(ShopTexts).roles }
  }),
  name: ({ display_name }) => display_name
})

export const layer = SqlProfile.layer(Customer, { table: "customers", tables })

/** For admins; other users get 403. */
export const requireAdmin = Access.requireThat(Effect.map(Customer.current, ({ role }) => role === "admin"))

/** `promote EMAIL` makes a customer an admin, from the next request on. */
export const promote = Command.make("promote", { email: Args.text({ name: "email" }) }, ({ email }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`UPDATE customers SET role = 'admin'
      WHERE user_id = (SELECT id FROM auth_users WHERE email = ${email}) RETURNING user_id`
    yield* Console.log(rows.length > 0 ? `${email} is an admin` : `${email} has no account`)
  })
).pipe(Command.withDescription("make a customer an admin"))
