// The token of a mailed link, in a path or in a payload, redacted from here on.
import { HttpRouter } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { fromLink } from "../../../src/session/internal/SplitToken.ts"
import * as FormFields from "../../http/internal/FormFields.ts"

/** The token of the link that was opened. */
export const presented = Effect.map(HttpRouter.params, ({ selector = "", verifier = "" }) =>
  fromLink(selector, verifier)
)

/** The token of a payload: `selector/verifier`, as in the link, or `selector.verifier`, as in a cookie. */
export const sent = Effect.map(FormFields.read, (fields) =>
  Redacted.make((fields.repeated.has("token") ? "" : (fields.get("token") ?? "")).replace("/", "."))
)
