// A form of the program's own with every kind of input, and a picture that is uploaded from it.
import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, pipe, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { type Html, html } from "../../src/http/Html.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as FormState from "../../routes/session/FormState.ts"
import * as Respond from "../../routes/session/Respond.ts"
import * as CsrfCheck from "../../routes/session/CsrfCheck.ts"
import * as Upload from "../../routes/session/Upload.ts"
import * as TestApp from "../../testing/TestApp.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import * as Multipart from "../support/Multipart.ts"

const screenshots = fileURLToPath(new URL("./screenshots/", import.meta.url))

const inputs: ReadonlyArray<readonly [type: string, value: string]> = [
  ["text", "Tea"],
  ["email", "ann@example.com"],
  ["password", "secret"],
  ["search", "tea"],
  ["url", "https://example.com"],
  ["tel", "+49 30 123"],
  ["number", "3"],
  ["date", "2026-11-15"],
  ["time", "15:30"],
  ["datetime-local", "2026-11-15T15:30"],
  ["month", "2026-11"],
  ["week", "2026-W46"],
  ["color", "#2f4fd0"],
  ["range", "40"]
]

const field = (name: string, input: Html): Html =>
  html`<div class="field"><label for="${name}">${name}</label>${input}</div>`

const everyInput = html`${inputs.map(([type, value]) =>
  field(type, html`<input id="${type}" name="${type}" type="${type}" value="${value}" />`)
)}
  ${field("untyped", html`<input id="untyped" name="untyped" placeholder="No type" />`)}
  ${field("wrong", html`<textarea id="wrong" name="wrong" aria-invalid="true">Several lines</textarea>`)}
  ${field("select", html`<select id="select" name="select"><option>One</option><option>Two</option></select>`)}
  ${field("off", html`<input id="off" name="off" value="Disabled" disabled />`)}
  <fieldset>
    <legend>Delivery</legend>
    <div class="check"><input id="post" type="radio" name="way" checked /><label for="post">Post</label></div>
    <div class="check"><input id="shop" type="radio" name="way" /><label for="shop">Shop</label></div>
  </fieldset>
  <div class="check"><input id="terms" type="checkbox" name="terms" checked /><label for="terms">Terms</label></div>`

const form = Upload.make({
  fields: Schema.Struct({ text: Schema.String, wrong: Schema.String }),
  files: { picture: { maxSize: "64 KiB", types: ["image/png"] } }
})

const view = ({ fieldErrors }: FormState.FormState<"text"> = FormState.empty) =>
  Effect.map(CsrfCheck.token, (token) => ({
    title: "Every input",
    main: html`<h1>Every input</h1>
      <form class="card" method="post" action="/form" enctype="multipart/form-data">
        <input type="hidden" name="_token" value="${token}" />
        ${everyInput} ${field("picture", html`<input id="picture" name="picture" type="file" />`)}
        <p class="error">${fieldErrors.picture}</p>
        <button class="wide" type="submit">Send</button>
      </form>`
  }))

const save = Upload.read(form).pipe(
  Effect.map(({ files: { picture } }) => Respond.text(`${picture.name} ${picture.type} ${picture.size}`)),
  Effect.catchTag("InvalidForm", "FileTooLarge", "WrongFileType", "TooManyFiles", (invalid) =>
    Respond.renderInvalid(invalid, view(invalid))
  )
)

const routes = [
  HttpLayerRouter.route("GET", "/form", Respond.render(view())),
  pipe(HttpLayerRouter.route("POST", "/form", save), Upload.route(form))
]

/** The inputs that look as the browser draws them, or that are too small to touch. */
const unstyled = `Array.from(document.querySelectorAll("main input:not([type=hidden]), main select, main textarea"))
  .filter((input) => {
    const { accentColor, borderTopLeftRadius } = getComputedStyle(input)
    const height = input.getBoundingClientRect().height
    const small = ["checkbox", "radio"].includes(input.type)
    return small ? accentColor === "auto" || height < 18 : height < 32 || (input.type === "range" ? accentColor === "auto" : borderTopLeftRadius !== "8px")
  })
  .map(({ id }) => id)`

Browser.describeBrowser("A form of the program's own", () => {
  layer(Layer.merge(TestApp.layer(routes), Chromium.layer), { timeout: 120_000 })((it) => {
    it.scoped.each(["light", "dark"] as const)(
      "has every input styled and passes axe: %s",
      (colorScheme) =>
        Effect.gen(function* () {
          const { url } = yield* ServerAddress
          const options = { baseURL: url, viewport: { width: 500, height: 900 }, colorScheme }
          const { complaints, page } = yield* Browser.watch(yield* Chromium.Chromium, options)
          yield* Effect.promise(() => page.goto("/form"))
          expect(yield* Axe.violations(page)).toEqual([])
          expect(yield* Effect.promise(() => page.evaluate(unstyled))).toEqual([])
          yield* Effect.promise(() =>
            page.screenshot({ path: `${screenshots}inputs-${colorScheme}.png`, fullPage: true })
          )
          expect(complaints).toEqual([])
        }),
      120_000
    )

    it.scoped(
      "uploads a picture, and is shown again for another file",
      () =>
        Effect.gen(function* () {
          const { url } = yield* ServerAddress
          const { page } = yield* Browser.watch(yield* Chromium.Chromium, { baseURL: url })
          const send = (name: string, mimeType: string, buffer: Buffer) =>
            Effect.promise(async () => {
              await page.goto("/form")
              await page.locator("#picture").setInputFiles({ name, mimeType, buffer })
              await Browser.navigate(page, () => page.locator("main button").click())
              return page.locator("body").innerText()
            })
          expect(yield* send("Bild – 1\u202fUhr.png", "image/png", Multipart.png(5000))).toBe(
            "Bild – 1\u202fUhr.png image/png 5000"
          )
          expect(yield* send("a.txt", "text/plain", Buffer.from("x"))).toContain("The file is not one of: image/png.")
          expect(yield* send("b.png", "image/png", Multipart.png(100_000))).toContain("The file is larger than 64 KiB.")
        }),
      120_000
    )
  })
})
