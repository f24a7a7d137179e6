// The endpoint of an account's activity in the group of accounts.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { SecurityEvent } from "../../../src/auth/SecurityEvents.ts"
import { InvalidCursor } from "../../../src/pagination/Cursor.ts"
import * as ListBody from "../../../src/pagination/ListBody.ts"
import { InvalidPagination } from "../../../src/pagination/Pagination.ts"
import { ApiAuthentication } from "../ApiAuthentication.ts"

const Shown = Schema.extend(
  SecurityEvent,
  Schema.Struct({ text: Schema.String.annotations({ description: "A sentence in the language of the request." }) })
)

const limit = Schema.NumberFromString.annotations({
  jsonSchema: { type: "integer", minimum: 1, description: "How many; 20 unless stated." }
})

export const activity = HttpApiEndpoint.get("activity", "/activity")
  .setUrlParams(Schema.Struct({ cursor: Schema.optional(Schema.String), limit: Schema.optional(limit) }))
  .addSuccess(ListBody.CursorPage(Shown))
  .addError(InvalidCursor, { status: 400 })
  .addError(InvalidPagination, { status: 400 })
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "List what happened to the account, the newest first")
