// Everything that the framework stores with an account, as JSON: no secret and no hash.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Chunk, Clock, Effect, Option, Stream } from "effect"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AccountExport } from "../../../src/auth/AccountExport.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as Throttle from "../../session/Throttle.ts"
import * as AccountProfile from "../signup/AccountProfile.ts"
import * as AccountSessions from "./AccountSessions.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import { requireConfirmation } from "../Access.ts"
import { exported as path } from "../internal/AuthPaths.ts"

const limited = Throttle.limited(AuthRateLimits.rules.exported)

/** What is stored with the signed-in account, and what the program adds to it; limited by client. */
export const make = limited(
  Effect.gen(function* () {
    const identity = yield* CurrentIdentity
    const { id } = identity
    yield* SecurityLog.record(id, { _tag: "AccountExported" })
    const profile = yield* AccountProfile.find(id)
    const events = yield* SecurityEvents
    const own = yield* AccountExport
    return {
      exported: Math.floor((yield* Clock.currentTimeMillis) / 1000),
      account: identity,
      ...Option.match(profile, { onNone: () => ({}), onSome: ({ row }) => ({ profile: row }) }),
      sessions: yield* AccountSessions.sessions,
      devices: yield* AccountSessions.devices,
      tokens: yield* Effect.flatMap(ApiTokens, ({ list }) => list(id)),
      passkeys: yield* Effect.flatMap(Passkeys, ({ list }) => list(id)),
      factors: yield* Effect.flatMap(Factors, ({ list }) => list(id)),
      events: Chunk.toReadonlyArray(yield* Stream.runCollect(events.stream(id))),
      program: yield* own.of(identity)
    }
  })
)

const download = Effect.map(make, (data) =>
  HttpServerResponse.setHeader(NoStore.json(data), "content-disposition", 'attachment; filename="account.json"')
)

/** `GET /account/export`, after a recent confirmation, limited. */
export const routes = [HttpLayerRouter.route("GET", path, requireConfirmation(download))]
