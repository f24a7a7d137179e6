// Sessions: rows for signed-in users, signed cookies for guests.
import { openBearer } from "../../../src/session/internal/SessionGrants.ts"
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import {
  type BearerSession,
  type RequestHeaders,
  type Session,
  Sessions,
  type SessionInfo
} from "../../../src/session/Session.ts"
import { SessionConfig } from "../../../src/session/internal/SessionConfig.ts"
import type { State } from "../../../src/http/internal/RequestState.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { handleOf, RequestSession } from "./RequestSession.ts"
import * as Revocations from "./Revocations.ts"
import { sha256 } from "./Digest.ts"
import { isRevoked, newBearer, stampInterval } from "./SessionContent.ts"
import * as SessionRows from "./SessionRows.ts"
import type * as Tables from "../../database/Tables.ts"

const make = Effect.fnUntraced(function* (tables: Tables.Tables) {
  const settings = yield* SessionConfig
  const shared = {
    settings,
    rows: yield* SessionRows.make(tables),
    keys: yield* KeyRing,
    entropy: yield* Entropy,
    revocations: yield* Revocations.make(tables.revocations),
    stampInterval: stampInterval(settings.sessionIdle)
  }
  const { revocations, rows } = shared
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const endPending = (user: AccountId) =>
    Effect.orDie(sql`DELETE FROM ${sql(tables.pendingSignIns)} WHERE user_id = ${user}`)
  // A property on the state. A `WeakMap` would do the same at a cost for the garbage collector.
  const slot: unique symbol = Symbol("effect-framework/session/Session")
  type Held = State & { [slot]?: RequestSession }

  const revoke = Effect.fnUntraced(function* (user: AccountId, except?: Session) {
    // The number first: a concurrent sign-in is either deleted here, or reads the new number.
    const number = yield* revocations.revoke(user)
    // Its password may be the one that was replaced.
    yield* endPending(user)
    if (except === undefined) return yield* rows.removeOf(user, "")
    except.acknowledge(number)
    return yield* rows.removeOf(user, yield* except.key)
  })

  const open = Effect.fnUntraced(function* (
    identity: Identity,
    request?: Session,
    asOf?: number,
    data: Readonly<Record<string, string>> = {}
  ) {
    const seen = asOf ?? request?.seenRevocation ?? (yield* revocations.latest)
    const secret = newBearer(shared.entropy)
    const key = sha256(secret)
    const now = yield* EpochSeconds.seconds
    yield* rows.insert(key, identity.id, JSON.stringify(data), request?.device ?? { address: "", userAgent: "" }, now)
    if (yield* isRevoked(shared, identity.id, seen)) {
      yield* rows.remove(key)
      return Option.none<BearerSession>()
    }
    return Option.some({ secret: Redacted.make(secret), expires: now + Duration.toSeconds(settings.sessionTtl) })
  }, Effect.uninterruptible)

  const hold = (state: Held, headers: RequestHeaders, bearer?: string) =>
    (state.session = state[slot] = new RequestSession(shared, state, headers, bearer))

  const attachBearer = (state: Held, headers: RequestHeaders, secret: Redacted.Redacted) => {
    const text = Redacted.value(secret)
    const held = state[slot]
    return held?.isOf(text) === true ? held : hold(state, headers, text)
  }

  const list = (user: AccountId) => EpochSeconds.use((now) => rows.list(user, now))

  return Sessions.of({
    attach: (state: Held, headers) => state[slot] ?? hold(state, headers),
    attachBearer,
    [openBearer]: open,
    revoke,
    end: Effect.fnUntraced(function* (user, handle) {
      const found = (yield* list(user)).find(({ key }) => handleOf(key) === handle)
      if (found === undefined) return false
      yield* rows.remove(found.key)
      return true
    }),
    list: (user) => Effect.map(list(user), (listed) => listed.map(toSessionInfo)),
    sweep: rows.sweep
  })
})

/** Sessions in the table that the migrations create, joined with the accounts. */
export const layer = (
  tables: Tables.Tables
): Layer.Layer<Sessions, never, SqlClient.SqlClient | SessionConfig | KeyRing> => Layer.effect(Sessions, make(tables))

const toSessionInfo = ({ created_at, key, last_seen, peer, user_agent }: SessionRows.Listed): SessionInfo => ({
  handle: handleOf(key),
  created: Number(created_at),
  lastSeen: Number(last_seen),
  device: { address: peer ?? "", userAgent: user_agent ?? "" }
})
