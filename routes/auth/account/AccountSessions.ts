// Where an account is signed in, for the page and for the API: its sessions and trusted devices, and how it ends them.
import { HttpLayerRouter } from "@effect/platform"
import { Context, Effect, Option, Schema } from "effect"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as BrowserSession from "../signin/BrowserSession.ts"
import * as RememberCookie from "../internal/RememberCookie.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { requireUser } from "../Access.ts"
import { home, signIn, signOut } from "../internal/AuthPaths.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as FormState from "../../session/FormState.ts"
import { One } from "../api/AccountSchemas.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

/** Whether it is the session or device of this request. */
export interface Current {
  readonly current: boolean
}

const currentFirst = (a: Current, b: Current): number => Number(b.current) - Number(a.current)

/** The live sessions of the signed-in account, the one of this request first. */
export const sessions = RequestServices.use((services: Context.Context<CurrentIdentity | SessionCookie.Needs>) => {
  const { id } = Context.get(services, CurrentIdentity)
  return Effect.flatMap(SessionCookie.of(services).handle, (handle) => {
    const own = Option.getOrUndefined(handle)
    return Effect.map(Context.get(services, Sessions).list(id), (listed) =>
      listed
        .map(({ created, handle, lastSeen, device }) => ({
          handle,
          created,
          lastSeen,
          device,
          current: handle === own
        }))
        .sort(currentFirst)
    )
  })
})

/** The trusted devices of the signed-in account, the one of this request first. */
export const devices = RequestServices.use(
  (services: Context.Context<CurrentIdentity | Trust | RememberCookie.Needs>) => {
    const { id } = Context.get(services, CurrentIdentity)
    const own = RememberCookie.selectorOf(services)
    return Effect.map(Context.get(services, Trust).list(id), (listed) =>
      listed
        .map(({ created, lastUsed, device, selector }) => {
          return { selector, created, lastUsed, device, current: selector === own }
        })
        .sort(currentFirst)
    )
  }
)

// Both stores search the account's own rows only.

/** Ends one session of the signed-in account; `false` for an unknown one. No response reveals which. */
export const endSession = Effect.fnUntraced(function* (handle: string) {
  const { id } = yield* CurrentIdentity
  const isEnded = yield* Effect.flatMap(Sessions, ({ end }) => end(id, handle))
  if (isEnded) yield* SecurityLog.record(id, { _tag: "SessionsEnded", which: "session" })
  return isEnded
})

/** Forgets one trusted device of the signed-in account; `false` for an unknown one. No response reveals which. */
export const forgetDevice = Effect.fnUntraced(function* (selector: string) {
  const { id } = yield* CurrentIdentity
  const isForgotten = yield* Effect.flatMap(Trust, ({ drop }) => drop(id, selector))
  if (isForgotten) yield* SecurityLog.record(id, { _tag: "SessionsEnded", which: "device" })
  return isForgotten
})

/** Ends every other session and forgets every other device. */
// This device stays trusted only with a valid token: a cookie that merely names a series is not enough.
export const endOthers = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const live = yield* Sessions
  const trusted = yield* Trust
  const token = yield* RememberCookie.presented
  const isTrusted = Option.isSome(token) && (yield* trusted.forget(token.value))
  yield* trusted.revoke(id)
  yield* live.revoke(id, yield* SessionCookie.current)
  if (isTrusted) yield* RememberCookie.renew(id)
  yield* SecurityLog.record(id, { _tag: "SessionsEnded", which: "others" })
}).pipe(Effect.uninterruptible)

/** Ends every session and forgets every device of the signed-in account, also those of this request. */
export const endAll = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  yield* Effect.flatMap(Trust, (trusted) => trusted.revoke(id))
  yield* Effect.flatMap(Sessions, (live) => live.revoke(id))
  yield* BrowserSession.end
  yield* SecurityLog.record(id, { _tag: "SessionsEnded", which: "all" })
}).pipe(Effect.uninterruptible)

const OneDevice = Schema.Struct({ selector: Schema.String })

// An unknown name gets the same response as an ended one.
const submitSession = Effect.gen(function* () {
  const { handle } = yield* FormState.read(One)
  yield* endSession(handle)
  return yield* PageTexts.redirect(home, ({ account }) => account.sessionEnded)
})

const submitDevice = Effect.gen(function* () {
  const { selector } = yield* FormState.read(OneDevice)
  yield* forgetDevice(selector)
  return yield* PageTexts.redirect(home, ({ account }) => account.deviceForgotten)
})

const submitOthers = Effect.zipRight(
  endOthers,
  PageTexts.redirect(home, ({ account }) => account.othersEnded)
)

const submitAll = Effect.zipRight(
  endAll,
  PageTexts.redirect(signIn, ({ account }) => account.everywhereEnded)
)

/** `POST` to each of the paths, for signed-in users. */
export const routes = [
  HttpLayerRouter.route("POST", signOut.session, requireUser(submitSession)),
  HttpLayerRouter.route("POST", signOut.device, requireUser(submitDevice)),
  HttpLayerRouter.route("POST", signOut.others, requireUser(submitOthers)),
  HttpLayerRouter.route("POST", signOut.everywhere, requireUser(submitAll))
]
