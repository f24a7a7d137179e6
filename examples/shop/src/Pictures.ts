// The pictures of the products: files beside the database, under names that no client chooses.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Layer, Schema } from "effect"
import { Html } from "effect-framework/http"
import { Catcher } from "effect-framework/routes/errors"
import type { Upload } from "effect-framework/routes/session"
import { randomUUID } from "node:crypto"
import { join } from "node:path"

/** The folder with the pictures. */
export class Pictures extends Context.Tag("shop/Pictures")<Pictures, string>() {}

export const layer = (folder: string) => Layer.succeed(Pictures, folder)

// SVG is missing on purpose: it can run scripts.
const endings: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp" }
export const types = Object.keys(endings)

/** Keeps an uploaded picture; the name of its file. */
export const keep = Effect.fn("Pictures.keep")(function* (file: Upload.UploadedFile) {
  const name = `${randomUUID()}.${endings[file.type]}`
  yield* file.persist(join(yield* Pictures, name))
  return name
})

export const image = (name: string, alt: string) => Html.html`<img src="/pictures/${name}" alt="${alt}" />`

// Nothing else is a path: no folder, no dot before the ending.
const Name = Schema.String.pipe(Schema.pattern(/^[0-9a-f-]{36}\.(?:jpg|png|webp)$/))

const show = Effect.gen(function* () {
  const { name } = yield* HttpLayerRouter.schemaPathParams(Schema.Struct({ name: Name }))
  const headers = { "cache-control": "public, max-age=31536000, immutable" }
  return yield* HttpServerResponse.file(join(yield* Pictures, name), { headers })
}).pipe(Effect.catchAll(() => Catcher.status(404)))

export const routes = [HttpLayerRouter.route("GET", "/pictures/:name", show)]
