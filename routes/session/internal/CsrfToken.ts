// The CSRF token for a JSON client, which has no page to read it from.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import * as CsrfCheck from "../CsrfCheck.ts"
import * as NoStore from "../../http/internal/NoStore.ts"

/** `GET /csrf`, responds with `{ token }`. */
export const routes = [
  HttpLayerRouter.route(
    "GET",
    "/csrf",
    Effect.map(CsrfCheck.token, (token) => NoStore.json({ token }))
  )
]
