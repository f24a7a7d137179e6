// Everything that the framework stores with an account, as JSON: no secret and no hash.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Chunk, Effect, Option, Stream } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AccountExport } from "../../../src/auth/AccountExport.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { type SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as AccountProfile from "../signup/AccountProfile.ts"
import * as AccountSessions from "./AccountSessions.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import { requireConfirmation } from "../Access.ts"
import { exported as path } from "../internal/AuthPaths.ts"

const limited = RateLimit.middleware(AuthRateLimits.rules.exported)

// The events come last and are read while they are sent: an account may have 20,000.
const bodyOf = (first: Readonly<Record<string, unknown>>, events: Stream.Stream<SecurityEvent>) =>
  Stream.make(`${JSON.stringify(first).slice(0, -1)},"events":[`).pipe(
    Stream.concat(
      Stream.mapChunks(Stream.zipWithIndex(events), (some) => Chunk.of(Chunk.join(Chunk.map(some, toText), "")))
    ),
    Stream.concat(Stream.make("]}")),
    Stream.encodeText
  )

const toText = ([event, at]: readonly [SecurityEvent, number]): string =>
  `${at === 0 ? "" : ","}${JSON.stringify(event)}`

/** What is stored with the signed-in account, and what the program adds to it; limited by client and by account. */
export const response = limited(
  Effect.gen(function* () {
    const identity = yield* CurrentIdentity
    const { id } = identity
    yield* RateLimit.spend(AuthRateLimits.rules.exportedPerAccount, id)
    yield* SecurityLog.record(id, { _tag: "AccountExported" })
    const profile = yield* AccountProfile.find(id)
    const own = yield* AccountExport
    const first = {
      exported: yield* EpochSeconds.seconds,
      account: identity,
      password: yield* Effect.flatMap(Users, ({ passwordState }) => passwordState(id)),
      ...Option.match(profile, { onNone: () => ({}), onSome: ({ row }) => ({ profile: row }) }),
      sessions: yield* AccountSessions.sessions,
      devices: yield* AccountSessions.devices,
      tokens: yield* Effect.flatMap(ApiTokens, ({ list }) => list(id)),
      passkeys: yield* Effect.flatMap(Passkeys, ({ list }) => list(id)),
      identities: yield* Effect.flatMap(LinkedIdentities, ({ list }) => list(id)),
      factors: yield* Effect.flatMap(Factors, ({ list }) => list(id)),
      program: yield* own.of(identity)
    }
    const events = yield* Effect.map(SecurityEvents, ({ stream }) => stream(id))
    return HttpServerResponse.stream(bodyOf(first, events), {
      contentType: "application/json",
      headers: NoStore.headers
    })
  })
)

const download = Effect.map(
  response,
  HttpServerResponse.setHeader("content-disposition", 'attachment; filename="account.json"')
)

/** `GET /account/export`, after a recent confirmation, limited. */
export const routes = [HttpLayerRouter.route("GET", path, requireConfirmation(download))]
