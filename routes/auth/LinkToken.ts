// The token in the path of a mailed link, redacted from here on.
import { HttpRouter } from "@effect/platform"
import { Effect } from "effect"
import { fromLink } from "../../src/auth/SplitToken.ts"

/** The token of the link that was opened. */
export const presented = Effect.map(HttpRouter.params, ({ selector = "", verifier = "" }) =>
  fromLink(selector, verifier)
)
