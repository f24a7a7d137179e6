// The filters and orders of the list: one author, words in the title, an order.
import { HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { Either, Schema } from "effect"
import * as Selection from "../../src/pagination/Selection.ts"
import { english, type Texts } from "../texts/DemoTexts.ts"
import { Article } from "./Articles.ts"

/** A filter or an order that the list does not know. */
export class InvalidListing extends Schema.TaggedError<InvalidListing>("effect-framework/demo/InvalidListing")(
  "InvalidListing",
  {
    problem: Schema.Literal("sort", "author", "long", "characters"),
    /** The message in the language of the request; English by default. */
    text: Schema.optional(Schema.String)
  }
) {
  override get message() {
    return this.text ?? this.describe(english)
  }
  /** The message in these texts. */
  describe({ invalid }: Texts): string {
    if (this.problem === "sort") return invalid.sort(sortNames.join(", "))
    return this.problem === "long" ? invalid.long(longest) : invalid[this.problem]
  }
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text(this.message, { status: 400 })
  }
}

const all = Selection.from(Article)
type Articles = typeof all

/** The orders by name. The key has the direction of the column before it, so that one index serves both. */
export const sorts = {
  "-published_at": {
    apply: (list: Articles) => list.order("Desc", "published_at").order("Desc", "id")
  },
  published_at: {
    apply: (list: Articles) => list.order("Asc", "published_at").order("Asc", "id")
  },
  title: { apply: (list: Articles) => list.order("Asc", "title").order("Asc", "id") },
  "-title": { apply: (list: Articles) => list.order("Desc", "title").order("Desc", "id") }
} as const

export type Sort = keyof typeof sorts
export const sortNames = Object.keys(sorts) as ReadonlyArray<Sort>
const isSort = (name: string): name is Sort => Object.hasOwn(sorts, name)

/** The most characters of a search. */
export const longest = 100

export interface Listing {
  readonly author: number | undefined
  readonly q: string
  readonly sort: Sort
  readonly selection: Articles
}

// Without filters and in the default order.
const byDefault: Listing = {
  author: undefined,
  q: "",
  sort: "-published_at",
  selection: sorts["-published_at"].apply(all)
}

const refuse = (problem: InvalidListing["problem"]): Either.Either<never, InvalidListing> =>
  Either.left(new InvalidListing({ problem }))

// oxlint-disable-next-line no-control-regex -- PostgreSQL refuses U+0000, and no title holds the others
const control = /[\u0000-\u001f\u007f]|\p{Surrogate}/u

/** The list that the other parameters of a query select. An empty parameter counts as absent. */
export const read = (otherParams: string): Either.Either<Listing, InvalidListing> => {
  if (otherParams === "") return Either.right(byDefault)
  const given = new URLSearchParams(otherParams)
  const [author, sort] = [given.get("author")?.trim() ?? "", given.get("sort") ?? ""]
  const q = given.get("q")?.trim() ?? ""
  if (sort !== "" && !isSort(sort)) return refuse("sort")
  if (author !== "" && !/^\d{1,9}$/.test(author)) return refuse("author")
  if (q.length > longest) return refuse("long")
  if (control.test(q)) return refuse("characters")
  const chosen: Sort = sort === "" ? byDefault.sort : sort
  let selection = all
  if (author !== "") selection = selection.filter("author_id", "equal", Number(author))
  if (q !== "") selection = selection.match("title", "insensitive", `%${Selection.escapePattern(q)}%`)
  return Either.right({
    author: author === "" ? undefined : Number(author),
    q,
    sort: chosen,
    selection: sorts[chosen].apply(selection)
  })
}
