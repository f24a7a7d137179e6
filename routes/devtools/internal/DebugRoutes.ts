// The paths of the development panel. Its pages are loaded with the first request for one of them.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { path } from "../../../src/http/internal/RequestRecorder.ts"

const pages = Effect.promise(() => import("./DebugPages.ts"))

/** `GET /_debug` and what is below it; the server has them only where requests are recorded. */
export const routes = [
  HttpLayerRouter.route("GET", path, Effect.flatten(Effect.map(pages, ({ requests }) => requests))),
  HttpLayerRouter.route("GET", `${path}/requests/:id`, Effect.flatten(Effect.map(pages, ({ request }) => request))),
  HttpLayerRouter.route("GET", `${path}/mail`, Effect.flatten(Effect.map(pages, ({ messages }) => messages))),
  HttpLayerRouter.route("GET", `${path}/mail/:name`, Effect.flatten(Effect.map(pages, ({ message }) => message))),
  HttpLayerRouter.route("GET", `${path}/mail/:name/html`, Effect.flatten(Effect.map(pages, ({ frame }) => frame)))
] as const
