// The HTML page of the list: search and order, page links, or "Load more" in cursor mode. Works without scripts.
import { type Html, html } from "../../src/http/Html.ts"
import type { Language } from "../../src/http/Languages.ts"
import * as Words from "../../src/http/internal/text/Words.ts"
import * as Links from "../../src/pagination/Links.ts"
import type { Pagination } from "../../src/pagination/Pagination.ts"
import type { ListPage } from "../../routes/pagination/ListRoute.ts"
import { DemoTexts } from "../texts/DemoTexts.ts"
import * as Listing from "./Listing.ts"

interface Item {
  readonly id: number
  readonly title: string
  readonly summary: string
  readonly published_at: string
  readonly author: { readonly id: number; readonly name: string } | null
}

type Texts = (typeof DemoTexts.Service)["articles"]

const search = ({ sort, values }: Listing.Listing, limit: number, isCursorMode: boolean, texts: Texts): Html =>
  html`<form class="card row" method="get" action="/articles" role="search">
    <div class="field">
      <label for="q">${texts.search}</label>
      <input id="q" name="q" type="search" value="${values.q}" maxlength="${Listing.longest}" />
    </div>
    <div class="field">
      <label for="sort">${texts.order}</label>
      <select id="sort" name="sort">
        ${Object.entries(texts.sorts).map(
          ([name, text]) => html`<option value="${name}" ${name === sort && html`selected`}>${text}</option>`
        )}
      </select>
    </div>
    ${values.author !== undefined && html`<input type="hidden" name="author" value="${values.author}" />`}
    <input type="hidden" name="limit" value="${limit}" />
    ${isCursorMode && html`<input type="hidden" name="cursor" value="" />`}
    <button type="submit">${texts.show}</button>
  </form>`

const entry = ({ author, id, published_at, summary, title }: Item, { locale, texts }: Language): Html =>
  html`<li id="article-${id}">
    <article>
      <h2>${title}</h2>
      <p>${summary}</p>
      <p class="faint">
        ${author !== null && html`${texts(DemoTexts).articles.by} <a href="/articles?author=${author.id}">${author.name}</a>, `}<time
          datetime="${published_at}"
          >${Words.day(new Date(published_at), locale)}</time
        >
      </p>
    </article>
  </li>`

const count = ({ page, pages, total }: Pagination, texts: Texts): Html =>
  total === null
    ? html`<p class="faint">${texts.uncounted}</p>`
    : html`<p class="faint">
        ${texts.count(total)}${page !== null && pages !== null && pages > 1 && `, ${texts.page(page, pages)}`}
      </p>`

const step = (href: string | undefined, rel: string, text: string): Html | false =>
  href !== undefined && html`<a class="button quiet" rel="${rel}" href="${href}">${text}</a>`

const neighbours = ({ request, pagination }: ListPage<Item>, texts: Texts): Html => {
  const { next, prev } = Links.adjacent(request, pagination)
  const { limit, mode } = pagination
  return mode === "Page"
    ? html`<nav class="row spread" aria-label="${texts.pages}">
        ${step(prev, "prev", texts.previous)} ${step(next, "next", texts.next)}
        <a href="${Links.cursor(request, limit, "")}">${texts.withoutPages}</a>
      </nav>`
    : html`<nav class="row spread" aria-label="${texts.more}">
        ${
          next === undefined
            ? html`<p class="faint">${texts.last}</p>`
            : html`<a class="button" rel="next" href="${next}">${texts.loadMore}</a>`
        }
        ${request.cursor !== "" && html`<a href="${Links.cursor(request, limit, "")}">${texts.start}</a>`}
        <a href="${Links.page(request, limit, 1)}">${texts.turnPages}</a>
      </nav>`
}

/** The main part of the page. */
export const main = (view: ListPage<Item>, listing: Listing.Listing, language: Language): Html => {
  const { articles: texts } = language.texts(DemoTexts)
  const { items, pagination } = view
  const [first] = items
  const by =
    listing.values.author !== undefined && first !== undefined && first.author !== null ? first.author.name : undefined
  return html`<h1>${by === undefined ? texts.title : texts.titleBy(by)}</h1>
    ${search(listing, pagination.limit, pagination.mode === "Cursor", texts)} ${count(pagination, texts)}
    ${listing.values.author !== undefined && items.length > 0 && html`<p><a href="/articles">${texts.allAuthors}</a></p>`}
    ${
      items.length === 0
        ? html`<p class="notice plain">${texts.none} <a href="/articles">${texts.all}</a></p>`
        : html`<div class="card">
          <ul class="list">
            ${items.map((item) => entry(item, language))}
          </ul>
        </div>`
    }
    ${neighbours(view, texts)}`
}
