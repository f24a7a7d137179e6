// What everyone may see: the list of products, and each product with its order form.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Accept, Html } from "effect-framework/http"
import { Links } from "effect-framework/pagination"
import { FormState, Page, Respond } from "effect-framework/routes/session"
import { Catcher } from "effect-framework/routes/errors"
import { Texts } from "effect-framework/routes/http"
import { CsrfCheck } from "effect-framework/routes/session"
import { ListRoute } from "effect-framework/routes/pagination"
import * as OrderScript from "./OrderScript.ts"
import * as Pictures from "./Pictures.ts"
import { current, money, type Product, Products } from "./Products.ts"
import { ShopTexts } from "./Texts.ts"

const { html } = Html

const list = Effect.gen(function* () {
  const products = yield* Products
  const newest = products.select.order("Desc", "id")
  const request = yield* HttpServerRequest.HttpServerRequest
  if (Accept.prefersJson(request.headers["accept"])) return yield* ListRoute.respond(products, newest)
  const language = yield* Texts.language
  const texts = language.texts(ShopTexts)
  const view = yield* ListRoute.paginate(Links.parse(request.originalUrl), products, newest, { limit: 6 })
  const { next, prev } = Links.adjacent(view.request, view.pagination)
  const main = html`<h1>${texts.products}</h1>
    ${view.items.length === 0 && html`<p class="notice plain">${texts.empty}</p>`}
    <div class="grid fill">
      ${view.items.map(
        ({ id, name, picture, price, stock }) =>
          html`<article class="card">
            <h2><a href="/products/${id}">${Pictures.image(picture, "")} ${name}</a></h2>
            <p>${money(price, language)} <span class="faint">${texts.left(stock)}</span></p>
          </article>`
      )}
    </div>
    <nav class="row spread" aria-label="${texts.pages}">
      ${prev !== undefined && html`<a class="button quiet" rel="prev" href="${prev}">${texts.newer}</a>`}
      ${next !== undefined && html`<a class="button quiet" rel="next" href="${next}">${texts.older}</a>`}
    </nav>`
  return yield* Page.render({ title: texts.products, width: "wide", main })
})

/** The page of a product; `state` is what a refused order leaves. */
export const view = (product: Product, { fieldErrors, values }: FormState.FormState<"quantity"> = FormState.empty) =>
  Effect.gen(function* () {
    const language = yield* Texts.language
    const texts = language.texts(ShopTexts)
    const { id, name, picture, price, stock } = product
    const error = fieldErrors["quantity"]
    const form = html`<form method="post" action="/products/${id}/orders" data-order>
      <input type="hidden" name="_token" value="${yield* CsrfCheck.token}" />
      <div class="field">
        <label for="quantity">${texts.quantity}</label>
        <input id="quantity" name="quantity" type="number" min="1" max="99" required value="${values.quantity ?? 1}" />
        ${error !== undefined && html`<p class="error">${error}</p>`}
      </div>
      <button class="wide" type="submit">${texts.order}</button>
    </form>`
    const main = html`<h1>${name}</h1>
      <div class="card">
        <p>${Pictures.image(picture, texts.pictureOf(name))}</p>
        <p><strong>${money(price, language)}</strong> <span class="faint">${texts.left(stock)}</span></p>
        ${stock > 0 && form}
      </div>
      <p><a href="/">${texts.all}</a></p>
      <script src="${OrderScript.asset.href}" type="module"></script>`
    return { title: name, main }
  })

const show = Effect.flatMap(current, (product) => Respond.render(view(product), product)).pipe(
  Effect.catchTag("NoProduct", () => noProduct)
)

/** 404 in the layout. */
export const noProduct = Effect.flatMap(Texts.of(ShopTexts), (texts) =>
  Catcher.status(404, { message: texts.noProduct })
)

export const routes = [HttpLayerRouter.route("GET", "/", list), HttpLayerRouter.route("GET", "/products/:id", show)]
