// E-mails about what happened to an account, each with a link to say "this was not me". They are made and sent after the
// response.
import { Clock, Duration, Effect, Either, Option } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthSettings } from "../../../src/auth/AuthSettings.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import * as FamiliarPlace from "../../../src/auth/internal/FamiliarPlace.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Event, type SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import * as LinkMessage from "../../../src/mail/internal/LinkMessage.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import { MailTemplates } from "../../../src/mail/MailTemplates.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as Texts from "../../http/Texts.ts"
import { notMe } from "../internal/AuthPaths.ts"
import * as ChangeMail from "../address/ChangeMail.ts"
import * as KnownDevice from "../signin/KnownDevice.ts"
import * as MailedLink from "../internal/MailedLink.ts"

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
  Theft: "theft"
}

/** What was recorded. */
export interface Recorded {
  readonly account: AccountId
  readonly event: Event
  readonly id: SecurityEvent["id"]
  readonly place: SecurityEvent["place"] | undefined
  /** The recipient, where it is not the address of the account. */
  readonly to?: string | undefined
}

const past = Either.getOrThrow(Pagination.make({ cursor: "", limit: 100 }))

const isNews = Effect.fnUntraced(function* ({ account, id, place }: Recorded, cookie: string | undefined) {
  const events = yield* SecurityEvents
  if (place === undefined) return false
  const known = yield* KnownDevice.find(cookie, account)
  const { items } = yield* events.list(account, { events: FamiliarPlace.relevant, pagination: past })
  // Of concurrent sign-ins the first one finds none before itself: several at once cannot hide each other.
  const earlier = items.filter((one) => one.id < id)
  return !FamiliarPlace.isFamiliar(place, Option.getOrUndefined(known)?.since, earlier)
})

const seenAt = Effect.fnUntraced(function* ({ place }: Recorded, language: Language) {
  const when = Words.moment(new Date(yield* Clock.currentTimeMillis), language.locale)
  if (place === undefined) return when
  const { lastSeen } = language.texts(AuthTexts)
  // A client names itself, and mail programs make a link of anything that looks like a host.
  const device = UserAgent.describe(place.agent, lastSeen).replaceAll(".", " ")
  return `${place.peer === "" ? device : lastSeen.deviceAt(device, place.peer)}, ${when}`
})

const send = Effect.fnUntraced(function* (notice: LinkMessage.Notice, recorded: Recorded, to: string) {
  const tokens = yield* Tokens
  const { appUrl: base } = yield* AuthSettings
  const { render } = yield* MailTemplates
  const app = yield* ChangeMail.appName
  const language = yield* Texts.language
  // Only these are limited: whoever causes many of them must not hide a change.
  if (notice === "newSignIn" && !(yield* MailedLink.withinLimit(AuthRateLimits.rules.newSignInPerAccount, to))) return
  const message = Effect.gen(function* () {
    const { value: token } = yield* Effect.orDie(tokens.mint(recorded.account, "not_me", ttl))
    const seen = yield* seenAt(recorded, language)
    return yield* LinkMessage.compose(render, notice, {
      to,
      base,
      token,
      ttl,
      language,
      seen,
      ...(app !== undefined && { app })
    })
  })
  yield* Mailer.sendOrLog(message)
})

const noticeOf = ({ event, to }: Recorded): LinkMessage.Notice | undefined =>
  event._tag === "EmailChanged" && to !== undefined ? "emailChanged" : notices[event._tag]

/** Tells the person about the event after the response, where the program has the page that the message links to. */
export const afterwards = Effect.fnUntraced(function* (recorded: Recorded) {
  const notice = noticeOf(recorded)
  if (notice === undefined || !(yield* MountedRoutes.has(notMe))) return
  const { notifications } = yield* AuthSettings
  if (!notifications) return
  const afterResponse = yield* AfterResponse
  const users = yield* Users
  // Before the response: whoever gives the account another address after it must not get what its owner has to know.
  const to = recorded.to ?? Option.getOrUndefined(yield* users.find(recorded.account))?.email
  if (to === undefined) return
  const cookie = yield* KnownDevice.presented
  const news = notice === "newSignIn" ? isNews(recorded, cookie) : Effect.succeed(true)
  yield* afterResponse.run(Effect.asVoid(Effect.whenEffect(send(notice, recorded, to), news)))
})
