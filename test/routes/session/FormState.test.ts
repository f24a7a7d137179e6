// A program's own form: rendered again with any status, with every field that is no secret.
import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as German from "../../../src/texts/German.ts"
import { html } from "../../../src/http/Html.ts"
import * as Languages from "../../../src/http/Languages.ts"
import * as Catcher from "../../../routes/errors/Catcher.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as TestApp from "../../../testing/TestApp.ts"

const Book = Schema.Struct({
  title: Schema.NonEmptyString.annotations({ message: () => "Enter a title." }),
  author: Schema.String,
  notes: Schema.optional(Schema.String),
  iban: Schema.Redacted(Schema.String.pipe(Schema.minLength(6))),
  api_key: Schema.optional(Schema.String.pipe(Schema.minLength(6, { message: ({ actual }) => `No key is ${actual}.` })))
})

// Fields without a text for what is wrong with them, and one whose text names what was sent.
const Loan = Schema.Struct({
  days: Schema.NumberFromString,
  shelf: Schema.Literal("a", "b"),
  reader: Schema.String.pipe(Schema.minLength(3)),
  code: Schema.String.pipe(Schema.filter((code) => code.startsWith("L") || `There is no loan "${code}".`))
})

const view = ({ fieldErrors, values }: FormState.FormState<keyof typeof Book.Encoded> = FormState.empty) =>
  Effect.succeed({
    title: "Book",
    main: html`<p>${fieldErrors.title} ${fieldErrors.iban} ${fieldErrors.api_key}</p>
      <input name="title" value="${values.title}" />
      <input name="author" value="${values.author}" />
      <textarea name="notes">${values.notes}</textarea>
      <input name="iban" value="${values.iban}" />
      <input name="api_key" value="${values.api_key}" />`
  })

const taken = "This title is taken."

const book = Effect.gen(function* () {
  const { title } = yield* FormState.read(Book)
  if (title === "Emma") {
    return yield* FormState.invalid(Book, { status: 409, error: taken, fieldErrors: { title: taken } })
  }
  return yield* Respond.redirect("/books", { value: { title } })
})

const routes = [
  HttpLayerRouter.route(
    "POST",
    "/books",
    Effect.catchTag(book, "InvalidForm", (invalid) => Respond.renderInvalid(invalid, view(invalid)))
  ),
  HttpLayerRouter.route("POST", "/uncaught", book),
  HttpLayerRouter.route("GET", "/gone", Catcher.status(404, { sent: 410 })),
  HttpLayerRouter.route("POST", "/loans", Effect.map(FormState.read(Loan), Respond.json))
]

const form = {
  title: "Emma",
  author: "Jane <Austen>",
  notes: "x".repeat(5000),
  iban: "DE12 3456 78",
  api_key: "k-123456"
}

const services = Languages.layer({ en: Layer.empty, de: German.layer })

layer(TestApp.layer(routes, { services }))("A form of the program's own", (it) => {
  it.effect("is rendered again with the status that the program chose and every field that is no secret", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const response = yield* client.submit("/books", form)
      expect(response.status).toBe(409)
      expect(response.body).toContain('name="title" value="Emma"')
      expect(response.body).toContain("Jane &lt;Austen&gt;")
      expect(response.body).toContain(form.notes)
      expect(response.text).toContain(taken)
      expect(response.body).not.toContain(form.iban)
      expect(response.body).not.toContain(form.api_key)
    })
  )

  it.effect("may respond with the page of a status and another status", () =>
    Effect.gen(function* () {
      const { body, status } = yield* (yield* TestApp.guest).get("/gone")
      expect(status).toBe(410)
      expect(body).toContain("Not Found")
    })
  )

  it.effect("is a problem document for a client that prefers one, caught or not", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const { token } = (yield* client.json("GET", "/csrf")).json as { readonly token: string }
      for (const path of ["/books", "/uncaught"]) {
        const headers = { accept: "application/problem+json", "x-csrf-token": token }
        const response = yield* client.request(path, { method: "POST", json: form, headers })
        expect([response.status, response.headers.get("content-type")]).toEqual([409, "application/problem+json"])
        expect(response.json).toEqual({
          type: "about:blank",
          title: "Conflict",
          status: 409,
          instance: response.headers.get("x-request-id"),
          detail: taken,
          fields: { title: taken }
        })
      }
    })
  )

  it.effect("tells a JSON client the same", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      for (const path of ["/books", "/uncaught"]) {
        const response = yield* client.json("POST", path, form)
        expect(response.status).toBe(409)
        expect(response.json).toEqual({ error: taken, fields: { title: taken } })
      }
    })
  )

  it.effect("does not repeat a secret in the message of its schema", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const response = yield* client.submit("/books", { title: "", author: "A", iban: "4711", api_key: '"\\1' })
      expect(response.status).toBe(422)
      expect(response.text).toContain("Enter a title. This is not valid. This is not valid.")
      expect(response.body).not.toContain("4711")
      expect(response.body).toContain('name="author" value="A"')
    })
  )

  it.effect("shows nobody the default messages of a schema, and the program's own as they are", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const fields = { days: "many", shelf: "", reader: "Jo", code: "X" }
      const code = 'There is no loan "X".'
      for (const [language, text] of [
        ["en", "This is not valid."],
        ["de", "Diese Angabe ist ungültig."]
      ] as const) {
        client.headers.set("accept-language", language)
        const { json, status } = yield* client.json("POST", "/loans", fields)
        expect(status).toBe(422)
        expect(json).toMatchObject({ fields: { days: text, shelf: text, reader: text, code } })
      }
    })
  )

  it.effect("does not keep a field that was sent twice", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const { json } = yield* client.request("/csrf", { headers: { accept: "application/json" } })
      const token = typeof json === "object" && json !== null && "token" in json ? String(json.token) : ""
      const response = yield* client.request("/books", {
        method: "POST",
        body: "title=a&title=b&author=A&iban=DE123456",
        headers: { "content-type": "application/x-www-form-urlencoded", "x-csrf-token": token }
      })
      expect(response.status).toBe(422)
      expect(response.body).toContain('name="title" value=""')
      expect(response.body).toContain('name="author" value="A"')
    })
  )
})
