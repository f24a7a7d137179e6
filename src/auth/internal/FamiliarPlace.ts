// Whether a sign-in comes from a device or a place that its account has used before.
import { bucket } from "../../session/internal/ForwardedFor.ts"
import type { Event, SecurityEvent } from "../SecurityEvents.ts"
import * as UserAgent from "./UserAgent.ts"

type Place = SecurityEvent["device"]

/** An event of the past. */
export type Past = Pick<SecurityEvent, "_tag" | "device" | "at">

// After these, nothing that was seen before counts: it may have been someone else's.
const distrusting: ReadonlyArray<Event["_tag"]> = ["PasswordReset", "ReportedNotMe", "TakenOver", "Theft"]

// Anyone who did these held the password, the mailbox or an identity that speaks for it.
const proving: ReadonlySet<Event["_tag"]> = new Set([
  "SignedUp",
  "SignedIn",
  "PasswordReset",
  "ReportedNotMe",
  "TakenOver"
])

/** The events that `isFamiliar` reads. */
export const relevant: ReadonlyArray<Event["_tag"]> = ["SignedUp", "SignedIn", ...distrusting]

/** The events that `isTrusted` reads. */
export const revoking = distrusting

const isSame = (a: Place, b: Place): boolean =>
  UserAgent.describe(a.userAgent) === UserAgent.describe(b.userAgent) && bucket(a.address) === bucket(b.address)

/** Whether a device that is known since then still counts; `past` is what happened to the account, the newest first. */
export const isTrusted = (since: number, past: ReadonlyArray<Past>): boolean => {
  const latest = past.find(({ _tag }) => distrusting.includes(_tag))
  return latest === undefined || since >= latest.at
}

/**
 * Whether a sign-in is nothing new: on a known device, or with the same kind of browser from the same address as before.
 * Without a past there is nothing to compare with. `past` is what happened before it, the newest first.
 */
export const isFamiliar = (device: Place, knownSince: number | undefined, past: ReadonlyArray<Past>): boolean => {
  if (past.length === 0) return true
  if (knownSince !== undefined && isTrusted(knownSince, past)) return true
  for (const one of past) {
    if (proving.has(one._tag) && isSame(device, one.device)) return true
    if (distrusting.includes(one._tag)) return false
  }
  return false
}
