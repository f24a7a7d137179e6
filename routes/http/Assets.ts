// Serves the program's own small files with a strong ETag.
import { HttpLayerRouter } from "@effect/platform"
import type { Asset } from "../../src/http/Asset.ts"
import * as AssetResponse from "./internal/AssetResponse.ts"

/** One route for each file; 304 when the client has it already. */
export const routes = (assets: ReadonlyArray<Asset>) =>
  assets.map((asset) => HttpLayerRouter.route("GET", asset.path, AssetResponse.respond(asset, AssetResponse.immutable)))
