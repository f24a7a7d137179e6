// The paths of the development panel. Its pages are loaded with the first request for one of them.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { path } from "../../../src/http/internal/RequestRecorder.ts"

const requests = Effect.promise(() => import("./DebugRequests.ts"))
const mailbox = Effect.promise(() => import("./DebugMailbox.ts"))

/** `GET /_debug` and what is below it; the server has them only where requests are recorded. */
export const routes = [
  HttpLayerRouter.route(
    "GET",
    path,
    Effect.flatMap(requests, ({ list }) => list)
  ),
  HttpLayerRouter.route(
    "GET",
    `${path}/requests/:id`,
    Effect.flatMap(requests, ({ detail }) => detail)
  ),
  HttpLayerRouter.route(
    "GET",
    `${path}/mail`,
    Effect.flatMap(mailbox, ({ list }) => list)
  ),
  HttpLayerRouter.route(
    "GET",
    `${path}/mail/:name`,
    Effect.flatMap(mailbox, ({ detail }) => detail)
  ),
  HttpLayerRouter.route(
    "GET",
    `${path}/mail/:name/html`,
    Effect.flatMap(mailbox, ({ frame }) => frame)
  )
] as const
