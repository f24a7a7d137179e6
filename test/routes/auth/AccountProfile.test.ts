// The fields of a profile as a person meets them: in their language, with labels, hints and the right inputs.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as Profile from "../../../src/auth/Profile.ts"
import * as Languages from "../../../src/http/Languages.ts"
import * as TestApp from "../../../testing/TestApp.ts"

class ShopTexts extends Context.Reference<ShopTexts>()("test/ShopTexts", {
  defaultValue: () => ({
    name: "Display name",
    hint: "Others see it.",
    noName: "Enter a name.",
    size: "Size",
    small: "Small",
    phone: "Phone"
  })
}) {}

const german = Layer.succeed(ShopTexts, {
  name: "Anzeigename",
  hint: "Andere sehen ihn.",
  noName: "Geben Sie einen Namen an.",
  size: "Größe",
  small: "Klein",
  phone: "Telefon"
})

const Customer = Profile.make({
  signUp: Schema.Struct({
    display_name: Schema.NonEmptyTrimmedString,
    size: Schema.Literal("s", "l"),
    phone: Schema.optional(Schema.String)
  }),
  fields: ({ texts }) => {
    const { hint, name, noName, phone, size, small } = texts(ShopTexts)
    return {
      display_name: { label: name, hint, error: noName, autocomplete: "nickname" },
      size: { label: size, options: { s: small, l: "<L>" } },
      phone: { label: phone, type: "tel", autocomplete: "tel" }
    }
  },
  name: ({ display_name }) => display_name
})

const migrations = {
  "0001_customers": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`CREATE TABLE customers (user_id TEXT PRIMARY KEY, display_name TEXT NOT NULL, size TEXT NOT NULL, phone TEXT)`
  )
}

const services = Layer.merge(
  SqlProfile.layer(Customer, { table: "customers" }),
  Languages.layer({ en: Layer.empty, de: german })
)

layer(TestApp.layer([], { migrations, services }))("the fields of a profile", (it) => {
  const pageOf = (language: string) =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      return (yield* guest.request("/register", { headers: { "accept-language": language } })).body
    })

  it.effect("have labels, hints and the input of their type, in the language of the reader", () =>
    Effect.gen(function* () {
      const english = yield* pageOf("en")
      expect(english).toContain('<label for="display_name">Display name</label>')
      expect(english).toContain('<p class="hint" id="display_name-hint">Others see it.</p>')
      const german = yield* pageOf("de")
      expect(german).toContain('<label for="display_name">Anzeigename</label>')
      expect(german).toContain('<option value="s" >Klein</option>')
      expect(german).toContain('<option value="l" >&lt;L&gt;</option>')
    })
  )

  it.effect("are required unless they are optional, and have an id of their own", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("en")
      const tagOf = (name: string) => new RegExp(`<(?:input|select)\\s[^>]*name="${name}"[^>]*>`).exec(page)?.[0] ?? ""
      expect(tagOf("display_name")).toMatch(/^<input .*\srequired\s.*type="text" autocomplete="nickname"/s)
      expect(tagOf("display_name")).toContain('aria-describedby="display_name-hint"')
      expect(tagOf("size")).toMatch(/^<select .*\srequired\s/s)
      expect(tagOf("phone")).toContain('type="tel" autocomplete="tel"')
      expect(tagOf("phone")).not.toContain("required")
      const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
    })
  )

  it.effect("have an error in the language of the reader, where the program gives one", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const refusedIn = (language: string) => {
        guest.headers.set("accept-language", language)
        return guest.json("POST", "/register", { display_name: "  ", size: "xxl" })
      }
      const english = yield* refusedIn("en")
      expect(english).toMatchObject({ status: 422, json: { fields: { display_name: "Enter a name." } } })
      const { fields } = (yield* refusedIn("de")).json as { readonly fields: Readonly<Record<string, string>> }
      expect(fields["display_name"]).toBe("Geben Sie einen Namen an.")
      // The schema's own message stays where there is none.
      expect(fields["size"]).toBeTypeOf("string")
      expect(fields["size"]).not.toBe(fields["display_name"])
    })
  )

  it.effect("are shown on the account page, each with its text", () =>
    Effect.gen(function* () {
      const profile = { display_name: "Ann", size: "l" }
      const member = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ profile }))
      const page = yield* member.request("/account", { headers: { "accept-language": "de" } })
      expect(page.text).toContain("Anzeigename Ann Größe <L> ")
      expect(page.text).not.toContain("Telefon")
    })
  )
})
