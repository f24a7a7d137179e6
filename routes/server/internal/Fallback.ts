// The response when no route matches.
import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { NoRoute } from "../../../src/server/internal/App.ts"
import * as Catcher from "../../errors/Catcher.ts"
import type { Services } from "../../errors/Catcher.ts"

/** 404, 405 with the allowed methods, 400 for a malformed path. */
export const fallback = (miss: NoRoute): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Services> => {
  switch (miss._tag) {
    case "NotFound":
      return Catcher.status(404)
    case "Malformed":
      return Catcher.status(400)
    case "MethodNotAllowed":
      return Catcher.status(405, { headers: { allow: miss.allow.join(", ") } })
    case "Options":
      return Effect.succeed(HttpServerResponse.empty({ status: 204, headers: { allow: miss.allow.join(", ") } }))
  }
}
