import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CapturedExceptions, TestApp } from "effect-framework/testing"

const routes = [HttpLayerRouter.route("GET", "/boil", Effect.die(new Error("The kettle is empty")))]

layer(TestApp.layer(routes, { environment: "production" }))("GET /boil", (it) => {
  it.effect("hides the error from the client and reports it", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const response = yield* guest.json("GET", "/boil")
      expect([response.status, response.json]).toEqual([500, { error: "Internal Server Error" }])
      const { reported } = yield* CapturedExceptions.CapturedExceptions
      expect((yield* reported).map(({ message }) => message)).toEqual(["The kettle is empty"])
    })
  )
})
