// The parameters of the list: an order, one author, words in the title.
import * as ListParameters from "../../src/pagination/ListParameters.ts"
import { Article } from "./Articles.ts"

/** The most characters of a search. */
export const longest = 100

/** Each order has an index; `Migration.ts` makes them. */
export const parameters = ListParameters.make(Article, {
  sort: ["-published_at", "title"],
  filters: { author: { column: "author_id" } },
  search: { fullText: true, maxLength: longest }
})

/** What a request asks for. */
export type Listing = ListParameters.Chosen<(typeof Article)["columns"], "author" | "q">
