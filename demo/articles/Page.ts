// The HTML page of the list: search and order, page links, or "Load more" in cursor mode. Works without scripts.
import { type Html, html } from "../../src/http/Html.ts"
import * as Links from "../../src/pagination/Links.ts"
import type { Pagination } from "../../src/pagination/Pagination.ts"
import type { ListPage } from "../../routes/pagination/Resource.ts"
import * as Listing from "./Listing.ts"

interface Item {
  readonly id: number
  readonly title: string
  readonly summary: string
  readonly published_at: string
  readonly author: { readonly id: number; readonly name: string } | null
}

const months = "January February March April May June July August September October November December".split(" ")

const day = (moment: string): string =>
  `${Number(moment.slice(8, 10))} ${months[Number(moment.slice(5, 7)) - 1]} ${moment.slice(0, 4)}`

const search = ({ author, q, sort }: Listing.Listing, limit: number, isCursorMode: boolean): Html =>
  html`<form class="card row" method="get" action="/articles" role="search">
    <div class="field">
      <label for="q">Words in the title</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="${Listing.longest}" />
    </div>
    <div class="field">
      <label for="sort">Order</label>
      <select id="sort" name="sort">
        ${Listing.sortNames.map(
          (name) =>
            html`<option value="${name}" ${name === sort && html`selected`}>${Listing.sorts[name].text}</option>`
        )}
      </select>
    </div>
    ${author !== undefined && html`<input type="hidden" name="author" value="${author}" />`}
    <input type="hidden" name="limit" value="${limit}" />
    ${isCursorMode && html`<input type="hidden" name="cursor" value="" />`}
    <button type="submit">Show</button>
  </form>`

const entry = ({ author, id, published_at, summary, title }: Item): Html =>
  html`<li id="article-${id}">
    <article>
      <h2>${title}</h2>
      <p>${summary}</p>
      <p class="faint">
        ${author !== null && html`By <a href="/articles?author=${author.id}">${author.name}</a>, `}<time
          datetime="${published_at}"
          >${day(published_at)}</time
        >
      </p>
    </article>
  </li>`

const count = ({ page, pages, total }: Pagination): Html =>
  total === null
    ? html`<p class="faint">Read on as far as you like; the list is not counted.</p>`
    : html`<p class="faint">
        ${total === 1 ? "1 article" : `${total} articles`}${pages !== null && pages > 1 && `, page ${page} of ${pages}`}
      </p>`

const step = (href: string | undefined, rel: string, text: string): Html | false =>
  href !== undefined && html`<a class="button quiet" rel="${rel}" href="${href}">${text}</a>`

const neighbours = ({ request, pagination }: ListPage<Item>): Html => {
  const { next, prev } = Links.adjacent(request, pagination)
  const { limit, mode } = pagination
  return mode === "Page"
    ? html`<nav class="row spread" aria-label="Pages">
        ${step(prev, "prev", "← Previous")} ${step(next, "next", "Next →")}
        <a href="${Links.cursor(request, limit, "")}">Read without pages</a>
      </nav>`
    : html`<nav class="row spread" aria-label="More articles">
        ${
          next === undefined
            ? html`<p class="faint">That was the last one.</p>`
            : html`<a class="button" rel="next" href="${next}">Load more</a>`
        }
        ${request.cursor !== "" && html`<a href="${Links.cursor(request, limit, "")}">Back to the start</a>`}
        <a href="${Links.page(request, limit, 1)}">Turn pages</a>
      </nav>`
}

/** The main part of the page. */
export const main = (view: ListPage<Item>, listing: Listing.Listing): Html => {
  const { items, pagination } = view
  const [first] = items
  const by =
    listing.author !== undefined && first !== undefined && first.author !== null ? first.author.name : undefined
  return html`<h1>${by === undefined ? "Articles" : `Articles by ${by}`}</h1>
    ${search(listing, pagination.limit, pagination.mode === "Cursor")} ${count(pagination)}
    ${listing.author !== undefined && items.length > 0 && html`<p><a href="/articles">Show all authors</a></p>`}
    ${
      items.length === 0
        ? html`<p class="notice plain">Nothing here. <a href="/articles">Show all articles</a></p>`
        : html`<div class="card">
          <ul class="list">
            ${items.map(entry)}
          </ul>
        </div>`
    }
    ${neighbours(view)}`
}
