// What leads from a failure to its request: the same ids on the response, in the report, in the log and on the debug page.
import { HttpLayerRouter } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as AccessLog from "../../../layers/observability/AccessLog.ts"
import * as Access from "../../../routes/auth/Access.ts"
import * as Environment from "../../../src/config/Environment.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import * as LogFormat from "../../../src/observability/internal/LogFormat.ts"
import { TestApp } from "../../../testing/index.ts"
import { eventually } from "../../support/Eventually.ts"

const trace = "0af7651916cd43dd8448eb211c80319c"

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/orders/:id",
    Access.requireUser(Effect.zipRight(Effect.logWarning("An order is late"), Effect.dieMessage("no such order")))
  )
]

it.scopedLive("is the trace, the request and the account by its id, everywhere", () => {
  const lines: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make((entry) => void lines.push(LogFormat.json(entry)))
  )
  const reported: Array<string> = []
  const reporter = Layer.scopedDiscard(
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const sources = yield* Sources
      yield* reporters.add((throwable, context) => {
        reported.push(RecordLine.encode(RecordLine.maker(sources).make(throwable, context, 0)))
      })
    })
  )
  const access = Layer.provide(
    AccessLog.layerWith({ write: (text) => void lines.push(...text.trim().split("\n")) }),
    Environment.layerWith("production")
  )
  return Effect.gen(function* () {
    const client = yield* TestApp.signedInUser()
    const { body, headers } = yield* client.request("/orders/7", {
      headers: { traceparent: `00-${trace}-b7ad6b7169203331-01`, "x-request-id": "r1", accept: "text/html" }
    })
    expect(headers.get("x-request-id")).toBe("r1")
    const ids = { id: "r1", trace_id: trace, account: client.user.id }
    const find = (text: string) =>
      eventually(
        Effect.sync(() => lines.find((line) => line.includes(text))),
        (line) => line !== undefined
      )
    const warning = yield* find("An order is late")
    const request = yield* find('"route":"/orders/:id"')
    for (const line of [warning, request, reported[0]]) expect(JSON.parse(line ?? "{}")).toMatchObject(ids)
    for (const line of [warning, request, reported[0], body]) expect(line).not.toContain(client.user.email)
    expect(body).toContain(trace)
    expect(body).toContain(client.user.id)
  }).pipe(
    Effect.provide(
      TestApp.layer(routes, { environment: "development", services: Layer.merge(reporter, access) }).pipe(
        Layer.provide(logger)
      )
    )
  )
})
