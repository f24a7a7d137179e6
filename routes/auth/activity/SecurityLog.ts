// Records what happened to an account, with the client of the current request, and tells the person where that matters.
import { HttpServerRequest } from "@effect/platform"
import { Clock, Duration, Effect, Either, Option } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Entry, type Event, type SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import * as FamiliarPlace from "../../../src/auth/internal/FamiliarPlace.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"
import { Users } from "../../../src/auth/Users.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import type * as LinkMessage from "../../../src/mail/internal/LinkMessage.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as Texts from "../../http/Texts.ts"
import { notMe } from "../internal/AuthPaths.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as KnownDevice from "../signin/KnownDevice.ts"

/** How long a "not me" link works. */
const ttl = Duration.days(7)

// A new address is told to the old one, which only the caller knows.
const notices: Readonly<Partial<Record<Event["_tag"], LinkMessage.Notice>>> = {
  PasswordChanged: "passwordChanged",
  PasswordReset: "passwordReset",
  SignedIn: "newSignIn",
  FactorAdded: "factorAdded",
  PasskeyAdded: "factorAdded",
  FactorRemoved: "factorRemoved",
  FactorRecoveryCompleted: "factorRemoved",
  PasskeyRemoved: "factorRemoved",
  SecondStepExhausted: "secondStepExhausted",
  RecoveryCodesRenewed: "recoveryCodesRenewed",
  TokenCreated: "tokenCreated",
  Theft: "theft"
}

/** What was recorded. */
interface Recorded {
  readonly account: AccountId
  readonly event: Event
  readonly id: SecurityEvent["id"]
  readonly device: SecurityEvent["device"] | undefined
  /** Epoch seconds from which on "This was not me" undoes what was added. */
  readonly since: number
  /** The recipient, where it is not the address of the account. */
  readonly to?: string | undefined
}

const past = Either.getOrThrow(Pagination.make({ cursor: "", limit: 100 }))

const isNews = Effect.fnUntraced(function* ({ account, id, device }: Recorded, cookie: string | undefined) {
  const events = yield* SecurityEvents
  if (device === undefined) return false
  const known = yield* KnownDevice.find(cookie, account)
  const { items } = yield* events.list(account, { events: FamiliarPlace.relevant, pagination: past })
  // Of concurrent sign-ins the first one finds none before itself: several at once cannot hide each other.
  const earlier = items.filter((one) => one.id < id)
  return !FamiliarPlace.isFamiliar(device, Option.getOrUndefined(known)?.since, earlier)
})

const seenAt = Effect.fnUntraced(function* ({ device }: Recorded, language: Language) {
  const when = Words.moment(new Date(yield* Clock.currentTimeMillis), language.locale)
  if (device === undefined) return when
  const { lastSeen } = language.texts(AuthTexts)
  // A client names itself, and mail programs make a link of anything that looks like a host.
  const described = UserAgent.describe(device.userAgent, lastSeen).replaceAll(".", " ")
  return `${device.address === "" ? described : lastSeen.deviceAt(described, device.address)}, ${when}`
})

const send = Effect.fnUntraced(function* (notice: LinkMessage.Notice, recorded: Recorded, to: string) {
  const tokens = yield* Tokens
  const language = yield* Texts.language
  // Only these are limited: anyone who causes many of them must not hide a change.
  if (notice === "newSignIn" && !(yield* AccountMail.withinLimit(AuthRateLimits.rules.newSignInPerAccount, to))) return
  const message = Effect.gen(function* () {
    const { value: token } = yield* Effect.orDie(tokens.mint(recorded.account, "not_me", ttl, recorded.since))
    return yield* AccountMail.compose(notice, { to, token, ttl, seen: yield* seenAt(recorded, language) })
  })
  yield* Mailer.sendOrLog(message)
})

const noticeOf = ({ event, to }: Recorded): LinkMessage.Notice | undefined =>
  event._tag === "EmailChanged" && to !== undefined ? "emailChanged" : notices[event._tag]

/** Tells the person about the event after the response, where the program has the page that the message links to. */
const notify = Effect.fnUntraced(function* (recorded: Recorded) {
  const notice = noticeOf(recorded)
  if (notice === undefined || !(yield* MountedRoutes.has(notMe))) return
  const { notifications } = yield* AuthConfig
  if (!notifications) return
  const afterResponse = yield* AfterResponse
  const users = yield* Users
  // Before the response: anyone who gives the account another address after it must not get what its owner has to know.
  const to = recorded.to ?? Option.getOrUndefined(yield* users.findById(recorded.account))?.email
  if (to === undefined) return
  const cookie = yield* KnownDevice.presented
  const news = notice === "newSignIn" ? isNews(recorded, cookie) : Effect.succeed(true)
  yield* afterResponse.run(Effect.asVoid(Effect.whenEffect(send(notice, recorded, to), news)))
})

/** The address and the `User-Agent` of the current request. */
export const device = Effect.gen(function* () {
  const { clientAddress } = yield* RequestState
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return { address: clientAddress, userAgent: headers["user-agent"] ?? "" }
})

interface Options extends Pick<Entry, "actor" | "outcome"> {
  /** Where the message goes, if not to the address of the account: the old address after `EmailChanged`. */
  readonly to?: string | undefined
  /** Epoch seconds of what the event reports, which may be stored a second before it; now by default. */
  readonly since?: number
}

/**
 * Records an event of the account: `SecurityLog.record(id, { _tag: "FactorAdded", factor: "totp" })`. Inside a transaction it
 * is part of it. After a change of the password, a factor, a passkey or the address, a theft, or a sign-in from a new device or location,
 * the person gets an e-mail.
 */
export const record = Effect.fnUntraced(function* (
  user: AccountId,
  event: Event,
  { since, to, ...options }: Options = {}
) {
  const events = yield* SecurityEvents
  const from = yield* device
  const id = yield* events.record({ account: user, event, device: from, ...options })
  if (options.outcome === "failure") return
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  yield* notify({ account: user, event, id, device: from, since: since ?? now, to })
})

/** What it takes to record an event, and to tell the person about it. */
export type Needs = Effect.Effect.Context<ReturnType<typeof record>>

/** Records, once the response is sent, an event of the account that `find` returns: timing does not reveal whether there is one. */
export const recordLater = Effect.fnUntraced(function* <R>(
  find: Effect.Effect<Option.Option<{ readonly id: AccountId }>, never, R>,
  event: Event
) {
  const afterResponse = yield* AfterResponse
  const work = Effect.flatMap(find, (found) => (Option.isSome(found) ? record(found.value.id, event) : Effect.void))
  yield* afterResponse.run(work)
})
