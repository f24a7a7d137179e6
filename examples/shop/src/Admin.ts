// For admins: new products with their pictures, and the reports of the job.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Effect, pipe, Schema } from "effect"
import { Html } from "effect-framework/http"
import { Flash, FormState, Respond } from "effect-framework/routes/session"
import { Texts } from "effect-framework/routes/http"
import { CsrfCheck, Upload } from "effect-framework/routes/session"
import { requireAdmin } from "./Customers.ts"
import * as Pictures from "./Pictures.ts"
import { ShopTexts } from "./Texts.ts"

const { html } = Html
type Field = "name" | "price" | "stock"

const number = (most: number, wrong: (most: number) => string) =>
  Schema.NumberFromString.annotations({ message: () => wrong(most) }).pipe(
    Schema.between(0, most, { message: () => wrong(most) })
  )

const form = ({ wrongName, wrongNumber }: typeof ShopTexts.Service) =>
  Upload.make({
    fields: Schema.Struct({
      // Part of the subject of an e-mail: one line, without control characters.
      name: Schema.Trim.pipe(Schema.pattern(/^\P{C}{1,80}$/u, { message: () => wrongName })),
      price: number(99_999, wrongNumber),
      stock: number(9_999, wrongNumber).pipe(Schema.int({ message: () => wrongNumber(9_999) }))
    }),
    files: { picture: { maxSize: "2 MiB", types: Pictures.types } },
    timeout: "2 minutes"
  })

const view = ({ fieldErrors, values }: FormState.FormState<Field> = FormState.empty) =>
  Effect.gen(function* () {
    const texts = yield* Texts.of(ShopTexts)
    const sql = yield* SqlClient.SqlClient
    const reports = yield* Effect.orDie(sql<{ day: string; orders: number; stock: number }>`
      SELECT day, orders, stock FROM reports ORDER BY day DESC LIMIT 7`)
    const error = (name: string) => fieldErrors[name] !== undefined && html`<p class="error">${fieldErrors[name]}</p>`
    const input = (name: Field, type: string, label: string) =>
      html`<div class="field">
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="${type}" required step="any" value="${values[name]}" />${error(name)}
      </div>`
    const main = html`<h1>${texts.newProduct}</h1>
      <form class="card" method="post" action="/admin" enctype="multipart/form-data">
        <input type="hidden" name="_token" value="${yield* CsrfCheck.token}" />
        ${input("name", "text", texts.name)} ${input("price", "number", texts.price)}
        ${input("stock", "number", texts.stock)}
        <div class="field">
          <label for="picture">${texts.picture}</label>
          <input id="picture" name="picture" type="file" required accept="${Pictures.types.join()}" />
          <p class="hint">${texts.pictureHint}</p>
          ${error("picture")}
        </div>
        <button class="wide" type="submit">${texts.add}</button>
      </form>
      <h2>${texts.reports}</h2>
      <div class="card">
        <ul class="list">
          ${reports.map(({ day, orders, stock }) => html`<li>${day}: ${texts.report(orders, stock)}</li>`)}
        </ul>
      </div>`
    return { title: texts.admin, main }
  })

const add = Effect.gen(function* () {
  const texts = yield* Texts.of(ShopTexts)
  const { fields, files } = yield* Upload.read(form(texts))
  const sql = yield* SqlClient.SqlClient
  const picture = yield* Pictures.keep(files.picture)
  const product = { ...fields, price: Math.round(fields.price * 100), picture }
  const [row] = yield* Effect.orDie(sql<{ id: number }>`INSERT INTO products ${sql.insert(product)} RETURNING id`)
  const to = `/products/${row?.id}`
  return yield* Respond.redirectWithFlash(to, Flash.success(texts.added), { status: 201, value: { id: row?.id } })
}).pipe(
  Effect.catchTag("InvalidForm", "FileTooLarge", "WrongFileType", "TooManyFiles", (invalid) =>
    Respond.renderInvalid(invalid, view(invalid))
  )
)

export const routes = [
  HttpLayerRouter.route("GET", "/admin", requireAdmin(Respond.render(view()))),
  pipe(HttpLayerRouter.route("POST", "/admin", requireAdmin(add)), Upload.route(form(ShopTexts.defaultValue())))
]
