// Routes that fail on purpose, to show the responses and reports of failures.
import { HttpLayerRouter, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"

/** A typed failure: the debug page shows its fields, and masks the secret one. */
export class OutOfStock extends Schema.TaggedError<OutOfStock>("effect-framework/demo/OutOfStock")("OutOfStock", {
  article: Schema.String,
  wanted: Schema.Number,
  left: Schema.Number,
  apiKey: Schema.String
}) {
  override get message() {
    return `Only ${this.left} of “${this.article}” are left, but the order wants ${this.wanted}.`
  }
}

/** A failure with a cause. */
export class OrderRejected extends Schema.TaggedError<OrderRejected>("effect-framework/demo/OrderRejected")(
  "OrderRejected",
  {
    order: Schema.Number,
    cause: Schema.Defect
  }
) {
  override get message() {
    return `Order ${this.order} cannot be placed.`
  }
}

/** A failure with its own response: the client gets 409 in its format, and nothing is reported. */
export class SoldOut extends Schema.TaggedError<SoldOut>("effect-framework/demo/SoldOut")("SoldOut", {
  article: Schema.String
}) {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("This article is sold out.", { status: 409 })
  }
}

const noContent = HttpServerResponse.empty()

const explode = (): HttpServerResponse.HttpServerResponse => {
  throw new Error("This route throws on purpose.")
}

const reserve = Effect.fn("Stock.reserve")(function* (article: string, wanted: number) {
  yield* Effect.annotateCurrentSpan({ article, wanted, accessToken: "masked where it is shown" })
  const left = 2
  if (wanted > left) return yield* new OutOfStock({ article, wanted, left, apiKey: "masked where it is shown" })
  return left - wanted
})

const parse = (text: string) => Effect.try(() => JSON.parse(text) as unknown)

const order = Effect.fn("Orders.place")(function* (order: number) {
  return yield* parse('{ "article": "blue teapot", ').pipe(
    Effect.mapError((cause) => new OrderRejected({ order, cause }))
  )
})

/** A throw, a chain of causes, a typed failure with spans and fields, and a failure with its own response. */
export const routes = [
  HttpLayerRouter.route("GET", "/error", Effect.sync(explode)),
  HttpLayerRouter.route("GET", "/error/chain", Effect.as(Effect.orDie(order(1042)), noContent)),
  HttpLayerRouter.route("GET", "/error/typed", Effect.as(Effect.orDie(reserve("blue teapot", 3)), noContent)),
  HttpLayerRouter.route("GET", "/error/sold-out", new SoldOut({ article: "blue teapot" }))
]
