// The parameters of the list: an order, one author, words in the title.
import * as SqlRepository from "../../layers/pagination/SqlRepository.ts"
import * as ListQuery from "../../src/pagination/ListQuery.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import { Article, Articles, author, relations } from "./Articles.ts"

/** The most characters of a search. */
export const longest = 100

/** Each order has an index, which `Migration.ts` makes, but that by the name of the author: it sorts what the filters find. */
export const parameters = ListQuery.make(Article, {
  sort: ["-published_at", "title", ["author", "title"]],
  related: { author: { relation: author, column: "name" } },
  filters: { author: { column: "author_id" } },
  search: { fullText: true, maxLength: longest }
})

/** What a request asks for. */
export type Listing = ListQuery.Decoded<(typeof Article)["columns"], "author" | "q">

const lists = [...parameters.lists(), Selection.from(Article).search("")]

/** The articles. The start looks for the index of each list, and prints the one that is missing. */
export const layer = SqlRepository.layer(Articles, Article, relations, { lists })
