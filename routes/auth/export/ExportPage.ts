// The download of everything that is stored with an account.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as NoStore from "../../http/internal/NoStore.ts"
import { confirmed } from "../Access.ts"
import * as AccountExport from "./AccountExport.ts"
import { exported as path } from "../internal/AuthPaths.ts"

const download = Effect.map(AccountExport.make, (data) =>
  HttpServerResponse.setHeader(NoStore.json(data), "content-disposition", 'attachment; filename="account.json"')
)

/** `GET /account/export`, after a recent confirmation, limited. */
export const routes = [HttpLayerRouter.route("GET", path, confirmed(download))]
