// The articles as a group of the demo's API: everyone reads, an account or its API token writes and changes its own.
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import * as ScopeAuthentication from "../../routes/auth/ScopeAuthentication.ts"
import * as ListEndpoint from "../../routes/pagination/ListEndpoint.ts"
import * as StorableText from "../../src/session/internal/StorableText.ts"
import { Article, Author } from "./Articles.ts"
import { parameters } from "./Listing.ts"
import { Scopes } from "./Scopes.ts"

/** An article with its author. */
export const Item = Schema.extend(Article.schema, Schema.Struct({ author: Schema.NullOr(Author.schema) })).annotations({
  identifier: "Article"
})

/** No article has this id. */
export class ArticleNotFound extends Schema.TaggedError<ArticleNotFound>("effect-framework/demo/ArticleNotFound")(
  "ArticleNotFound",
  { id: Schema.Int },
  HttpApiSchema.annotations({ status: 404, description: "No article has this id." })
) {}

/** The article is another account's. */
export class NotTheAuthor extends Schema.TaggedError<NotTheAuthor>("effect-framework/demo/NotTheAuthor")(
  "NotTheAuthor",
  { id: Schema.Int },
  HttpApiSchema.annotations({ status: 403, description: "The article is another account's." })
) {}

// One line of text that both databases store as it is.
const line = (most: number) =>
  Schema.Trim.pipe(
    Schema.minLength(1),
    Schema.maxLength(most),
    Schema.pattern(/^[ -~\u00a0-\uffff]*$/, { description: "one line without control characters" }),
    Schema.filter(StorableText.isText)
  )

/** What an author writes. */
export const Draft = Schema.Struct({ title: line(200), summary: line(1000) }).annotations({
  identifier: "ArticleDraft"
})

// The largest key of the table.
const id = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 2_147_483_647))
const path = Schema.Struct({ id })

// A signed-in account, or a token that its owner gave this scope.
const mayWrite = ScopeAuthentication.requires(Scopes, "articles:write")

/** The list, in both modes and both directions. */
export const list = ListEndpoint.make("list", "/articles", { item: Item, parameters, bidirectional: true })

/** The group of the articles. */
export const group = HttpApiGroup.make("articles")
  .add(list.endpoint.annotate(OpenApi.Summary, "List articles"))
  .add(
    HttpApiEndpoint.get("read", "/articles/:id")
      .setPath(path)
      .addSuccess(Item)
      .addError(ArticleNotFound)
      .annotate(OpenApi.Summary, "Read an article")
  )
  .add(
    HttpApiEndpoint.post("create", "/articles")
      .setPayload(Draft)
      .addSuccess(Item, { status: 201 })
      .middleware(mayWrite)
      .annotate(OpenApi.Summary, "Publish an article")
  )
  .add(
    HttpApiEndpoint.put("change", "/articles/:id")
      .setPath(path)
      .setPayload(Draft)
      .addSuccess(Item)
      .addError(ArticleNotFound)
      .addError(NotTheAuthor)
      .middleware(mayWrite)
      .annotate(OpenApi.Summary, "Change an article of the account")
  )
  .add(
    HttpApiEndpoint.del("remove", "/articles/:id")
      .setPath(path)
      .addError(ArticleNotFound)
      .addError(NotTheAuthor)
      .middleware(mayWrite)
      .annotate(OpenApi.Summary, "Delete an article of the account")
  )
  .annotate(OpenApi.Title, "Articles")
  .annotate(
    OpenApi.Description,
    "Everyone reads them; an account, or an API token with the scope articles:write, publishes, changes and deletes its own."
  )
