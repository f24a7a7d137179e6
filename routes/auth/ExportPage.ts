// The download of everything that is stored with an account.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import * as NoStore from "../http/NoStore.ts"
import * as Respond from "../http/Respond.ts"
import * as Throttle from "../http/Throttle.ts"
import { confirmed } from "./Access.ts"
import * as AccountExport from "./AccountExport.ts"
import { exported as path } from "./AuthPaths.ts"

const limited = Throttle.limited(AuthRateLimits.rules.exported)

const download = Effect.map(AccountExport.make, (data) =>
  HttpServerResponse.setHeader(
    Respond.json(data, { headers: NoStore.headers }),
    "content-disposition",
    'attachment; filename="account.json"'
  )
)

/** `GET /account/export`, after a recent confirmation, limited. */
export const routes = [HttpLayerRouter.route("GET", path, confirmed(limited(download)))]
