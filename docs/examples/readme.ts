import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { App } from "effect-framework"
import { Identity } from "effect-framework/session"
import { Access } from "effect-framework/routes/auth"

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))

App.run({ name: "Teapots", pages: [HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))] })
