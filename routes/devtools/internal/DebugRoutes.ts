// The paths of the development panel. Its pages are loaded with the first request for one of them.
import { HttpLayerRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { path } from "../../../src/http/internal/RequestRecorder.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as Catcher from "../../errors/Catcher.ts"

const pages = Effect.promise(() => import("./DebugPages.ts"))

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.")

// Behind a proxy on this machine every client has a loopback address.
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

// The server checks `Host`, which keeps other sites of the browser out. Any client can send `Host: localhost`.
const isLocal = Effect.gen(function* () {
  const { clientAddress } = yield* RequestState
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return isLoopback(clientAddress) && forwarding.every((name) => headers[name] === undefined)
})

type Page<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const local = <E, R>(page: Page<E, R>): Page<E, R | Catcher.Services> =>
  Effect.flatMap(isLocal, (isLocal): Page<E, R | Catcher.Services> => (isLocal ? page : Catcher.status(403)))

/** `GET /_debug` and what is below it; the server has them only where requests are recorded, for clients on its machine. */
export const routes = [
  HttpLayerRouter.route("GET", path, local(Effect.flatMap(pages, ({ requests }) => requests))),
  HttpLayerRouter.route("GET", `${path}/requests/:id`, local(Effect.flatMap(pages, ({ request }) => request))),
  HttpLayerRouter.route("GET", `${path}/errors`, local(Effect.flatMap(pages, ({ errors }) => errors))),
  HttpLayerRouter.route("GET", `${path}/jobs`, local(Effect.flatMap(pages, ({ jobs }) => jobs))),
  HttpLayerRouter.route("GET", `${path}/mail`, local(Effect.flatMap(pages, ({ messages }) => messages))),
  HttpLayerRouter.route("GET", `${path}/mail/:name`, local(Effect.flatMap(pages, ({ message }) => message))),
  HttpLayerRouter.route("GET", `${path}/mail/:name/html`, local(Effect.flatMap(pages, ({ frame }) => frame)))
] as const
