import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Data, Effect, Layer, pipe, Schema } from "effect"
import * as German from "../../../demo/texts/German.ts"
import * as Flash from "../../../routes/session/Flash.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as Texts from "../../../routes/http/Texts.ts"
import * as Upload from "../../../routes/session/Upload.ts"
import { html } from "../../../src/http/Html.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as Languages from "../../../src/http/Languages.ts"
import { TooManyRequests } from "../../../src/session/RateLimit.ts"
import * as TestApp from "../../../testing/TestApp.ts"

const form = Upload.make({ files: { picture: { maxSize: 10, types: ["text/plain"] } } })

const receive = Upload.read(form).pipe(
  Effect.as(Respond.json("received")),
  Effect.catchTag("InvalidForm", "FileTooLarge", "WrongFileType", "TooManyFiles", (invalid) =>
    Respond.renderInvalid(
      invalid,
      Effect.succeed({ title: "Picture", main: html`${Object.values(invalid.fieldErrors)}` })
    )
  )
)

const named = Effect.map(Texts.of(HttpTexts), ({ layout }) =>
  Respond.json(layout.signIn, { headers: { vary: "Accept" } })
)

class NoTea extends Data.TaggedError("NoTea") {
  override readonly message = "No tea is left."
}

const told = (failure: Error) =>
  Effect.flatMap(Texts.message(failure), (error) =>
    Respond.redirectWithFlash("/", Flash.error(error), { status: 429, value: { error } })
  )

const waiting = HttpLayerRouter.schemaPathParams(Schema.Struct({ seconds: Schema.NumberFromString })).pipe(
  Effect.flatMap(({ seconds }) => new TooManyRequests({ scope: "tea", retryAfter: seconds }))
)

const routes = [
  HttpLayerRouter.route("GET", "/refused", told(new NoTea())),
  HttpLayerRouter.route("GET", "/limited/:seconds", waiting),
  HttpLayerRouter.route("GET", "/told/:seconds", Effect.catchTag(waiting, "TooManyRequests", told)),
  HttpLayerRouter.route("GET", "/named", named),
  HttpLayerRouter.route("GET", "/plain", Effect.succeed(Respond.json("plain"))),
  pipe(HttpLayerRouter.route("POST", "/pictures", receive), Upload.route(form))
]

const german = { "accept-language": "de" }

layer(TestApp.layer(routes, { services: Languages.layer({ en: Layer.empty, de: German.layer }) }))(
  "a program with two languages",
  (it) => {
    it.effect("names the language of a response that has texts, and no other", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const { headers, json } = yield* client.request("/named", { headers: german })
        expect([json, headers.get("content-language"), headers.get("vary")]).toEqual([
          "Anmelden",
          "de",
          "Accept, Accept-Language"
        ])
        const plain = yield* client.request("/plain", { headers: german })
        expect([plain.headers.get("content-language"), plain.headers.get("vary")]).toEqual([null, null])
      })
    )

    it.effect("says in German how long to wait, on pages, to programs and where a page says it itself", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const ask = (path: string, accept: string) => client.request(path, { headers: { ...german, accept } })
        const error = "Zu viele Anfragen. Versuchen Sie es in 5 Sekunden erneut."
        for (const path of ["/limited/5", "/told/5"]) {
          expect(yield* ask(path, "application/json")).toMatchObject({ status: 429, json: { error } })
        }
        const problem = yield* ask("/limited/5", "application/problem+json")
        expect(problem).toMatchObject({ status: 429, json: { detail: error } })
        expect(yield* ask("/limited/5", "text/html")).toMatchObject({
          status: 429,
          text: expect.stringContaining(error)
        })
        yield* ask("/told/5", "text/html")
        expect((yield* ask("/login", "text/html")).text).toContain(error)
      })
    )

    it.effect("says what a failure of the program says", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const { json } = yield* client.request("/refused", { headers: { ...german, accept: "application/json" } })
        expect(json).toEqual({ error: "No tea is left." })
      })
    )

    it.effect("says in German why a file is refused", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const send = Effect.fnUntraced(function* (file: File) {
          const { json } = yield* client.request("/csrf", { headers: { accept: "application/json" } })
          const body = new FormData()
          body.append("_token", typeof json === "object" && json !== null && "token" in json ? String(json.token) : "")
          body.append("picture", file, file.name)
          return yield* client.request("/pictures", { body, headers: german })
        })
        const large = yield* send(new File(["x".repeat(20)], "a.txt", { type: "text/plain" }))
        expect([large.status, large.text]).toEqual([413, expect.stringContaining("Die Datei ist größer als 10 Byte.")])
        expect(large.text.split("Die Datei ist größer")).toHaveLength(3)
        const wrong = yield* send(new File(["<p>"], "a.html", { type: "text/html" }))
        expect(wrong.text).toContain("Die Datei hat keinen der erlaubten Typen: text/plain.")
        const empty = yield* send(new File([], "a.txt", { type: "text/plain" }))
        expect(empty.text).toContain("Die Datei ist leer.")
      })
    )
  }
)

layer(TestApp.layer(routes))("a program with one language", (it) => {
  it.effect("does not read the header and does not vary with it", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const { headers, json } = yield* client.request("/named", { headers: german })
      expect([json, headers.get("content-language"), headers.get("vary")]).toEqual(["Sign in", null, "Accept"])
    })
  )
})
