// The page that a failed request has, from routes that do not fail.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import * as Catcher from "../../routes/errors/Catcher.ts"

const page = Catcher.status(500)

const explode = (): never => {
  throw new Error("This route throws on purpose.")
}

// Kept, so that the engine cannot leave the work out.
let stack: string | undefined

const readStack = Effect.sync(() => {
  try {
    explode()
  } catch (error) {
    stack = error instanceof Error ? error.stack : stack
  }
})

/** The page alone; and from a handler that throws an error, catches it and reads its stack. */
export const routes = [
  HttpLayerRouter.route("GET", "/error/page", page),
  HttpLayerRouter.route("GET", "/error/stack", Effect.zipRight(readStack, page))
]
