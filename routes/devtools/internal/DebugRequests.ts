// The requests of the last minute, in `development`: a list, and one of them.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import * as RequestPanel from "../../../src/devtools/internal/RequestPanel.ts"
import { RequestRecorder } from "../../../src/http/internal/RequestRecorder.ts"
import * as Catcher from "../../errors/Catcher.ts"
import * as DebugResponse from "./DebugResponse.ts"

const worker = { pid: process.pid }

/** `GET /_debug`. */
export const list = Effect.flatMap(RequestRecorder, (recorder) =>
  recorder === undefined
    ? Catcher.status(404)
    : Effect.sync(() => DebugResponse.page(RequestPanel.list(recorder.list(), worker)))
)

/** `GET /_debug/requests/:id`. */
export const detail = Effect.gen(function* () {
  const recorder = yield* RequestRecorder
  if (recorder === undefined) return yield* Catcher.status(404)
  const { id = "" } = yield* HttpLayerRouter.params
  const found = recorder.find(id)
  return found === undefined
    ? DebugResponse.page(RequestPanel.unknown(worker), 404)
    : DebugResponse.page(RequestPanel.detail(found, worker))
})
