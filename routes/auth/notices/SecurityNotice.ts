// Tells the owner of an account what happened to it: at once, or collapsed with what else happens within the hour. Stored with
// the event, so that a worker that is killed hides nothing.
import { Clock, Duration, Effect, Either, Option } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as FamiliarPlace from "../../../src/auth/internal/FamiliarPlace.ts"
import { Notices } from "../../../src/auth/internal/Notices.ts"
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"
import { type Event, type SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import type { Language } from "../../../src/http/Languages.ts"
import type * as LinkMessage from "../../../src/mail/internal/LinkMessage.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { MailTexts } from "../../../src/mail/MailTexts.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as Texts from "../../http/Texts.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import { notMe } from "../internal/AuthPaths.ts"
import * as KnownDevice from "../signin/KnownDevice.ts"

/** How long a "not me" link works. */
const ttl = Duration.days(7)

type Single = Exclude<LinkMessage.Notice, "severalChanges">

const kinds: Readonly<Partial<Record<Event["_tag"], Single>>> = {
  PasswordChanged: "passwordChanged",
  PasswordReset: "passwordReset",
  PasswordSet: "passwordSet",
  PasswordRemoved: "passwordRemoved",
  SignedIn: "newSignIn",
  FactorAdded: "factorAdded",
  PasskeyAdded: "factorAdded",
  FactorRemoved: "factorRemoved",
  FactorRecoveryCompleted: "factorRemoved",
  PasskeyRemoved: "factorRemoved",
  SecondStepExhausted: "secondStepExhausted",
  RecoveryCodesRenewed: "recoveryCodesRenewed",
  IdentityLinked: "identityLinked",
  IdentityUnlinked: "identityUnlinked",
  TokenCreated: "tokenCreated",
  Theft: "theft"
}

/** These are told at once, each time. */
const urgent: ReadonlySet<Single> = new Set(["passwordChanged", "passwordReset", "passwordSet", "passwordRemoved"])

/** What was recorded. */
interface Recorded {
  readonly account: AccountId
  readonly event: Event
  readonly id: SecurityEvent["id"]
  readonly device: SecurityEvent["device"]
  /** Epoch seconds from which on "This was not me" undoes what was added. */
  readonly since: number
}

const past = Either.getOrThrow(Pagination.make({ cursor: "", limit: 100 }))

const isNews = Effect.fnUntraced(function* ({ account, device, id }: Recorded) {
  // A device that still counts is familiar, whatever else happened: most sign-ins come from one, and read no past.
  if (Option.isSome(yield* KnownDevice.trusted(account))) return false
  const events = yield* SecurityEvents
  const known = yield* Effect.flatMap(KnownDevice.presented, (cookie) => KnownDevice.find(cookie, account))
  const { items } = yield* Effect.orDie(events.list(account, { events: FamiliarPlace.relevant, pagination: past }))
  // Of concurrent sign-ins the first one finds none before itself: several at once cannot hide each other.
  const earlier = items.filter((one) => one.id < id)
  return !FamiliarPlace.isFamiliar(device, Option.getOrUndefined(known)?.since, earlier)
})

const seenAt = Effect.fnUntraced(function* ({ device }: Recorded, language: Language) {
  const when = Words.moment(new Date(yield* Clock.currentTimeMillis), language.locale)
  const { lastSeen } = language.texts(AuthTexts)
  // A client names itself, and mail programs make a link of anything that looks like a host.
  const described = UserAgent.describe(device.userAgent, lastSeen).replaceAll(".", " ")
  return `${device.address === "" ? described : lastSeen.deviceAt(described, device.address)}, ${when}`
})

// By event: an app that the owner adds must not delay the news of a thief's passkey, which has the same words.
const isAllowed = Effect.fnUntraced(function* (kind: Single, { event }: Recorded, to: string) {
  const { hit } = yield* RateLimit
  const { noticesPerKind, noticesPerRecipient } = AuthRateLimits.rules
  if (!urgent.has(kind) && !(yield* hit(noticesPerKind, `${event._tag} ${to}`)).allowed) return false
  return (yield* hit(noticesPerRecipient, to)).allowed
})

const store = Effect.fnUntraced(function* (kind: Single, recorded: Recorded, to: string) {
  const notices = yield* Notices
  const tokens = yield* Tokens
  const language = yield* Texts.language
  const seen = yield* seenAt(recorded, language)
  // Longer than it says: a message that collects changes is sent later.
  const minted = tokens.mint(recorded.account, "not_me", Duration.sum(ttl, "1 hour"), recorded.since)
  const mint = Effect.map(Effect.orDie(minted), ({ value }) => value)
  if (yield* isAllowed(kind, recorded, to)) {
    const message = yield* AccountMail.compose(kind, { to, token: yield* mint, ttl, seen })
    const id = yield* notices.add(message)
    const send = Effect.provideService(notices.send(id), Mailer, yield* Mailer)
    return yield* Effect.flatMap(AfterResponse, (afterResponse) => afterResponse.run(send))
  }
  const { [kind]: texts } = language.texts(MailTexts)
  yield* notices.collect({
    user: recorded.account,
    to,
    line: `${texts.subject(yield* AccountMail.appName)}: ${seen}`,
    mint,
    compose: (changes, token) => AccountMail.compose("severalChanges", { to, token, ttl, seen: changes.join("\n") })
  })
})

/** Tells the person about the event, where the program has the page that the message links to. */
export const tell = Effect.fnUntraced(function* (recorded: Recorded) {
  const kind = kinds[recorded.event._tag]
  if (kind === undefined || !(yield* MountedRoutes.has(notMe))) return
  const { notifications } = yield* AuthConfig
  if (!notifications) return
  // An address that nobody has proved may be a stranger's, who must not be flooded with what happens to the account.
  const account = Option.filter(
    yield* Effect.flatMap(Users, (users) => users.findById(recorded.account)),
    ({ verified }) => verified
  )
  if (Option.isNone(account) || (kind === "newSignIn" && !(yield* isNews(recorded)))) return
  yield* Effect.catchTag(store(kind, recorded, account.value.email), "InvalidAddress", ({ message }) =>
    Effect.logWarning(message)
  )
})
