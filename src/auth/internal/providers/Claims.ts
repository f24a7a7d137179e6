// What a provider says of a person, read with distrust: a text where a boolean belongs, an empty subject, two addresses.
import { Either, Option } from "effect"
import { parseAddress } from "../../../mail/MailMessage.ts"
import * as StorableText from "../../../session/internal/StorableText.ts"
import type { Person } from "../../Providers.ts"
import { normalizeEmail } from "../../Users.ts"

/** Claims as they came. */
export type Claims = Readonly<Record<string, unknown>>

const maxSubject = 255
const maxLabel = 254

/** A subject: a text of 1 to 255 characters that a database can hold. */
export const subjectOf = (value: unknown): Option.Option<string> =>
  typeof value === "string" && value !== "" && value.length <= maxSubject && StorableText.isText(value)
    ? Option.some(value)
    : Option.none()

/** The address, as accounts are stored; nothing for one that is absent, malformed, or that is several. */
const emailOf = (value: unknown): string | undefined => {
  if (typeof value !== "string" || !StorableText.isText(value)) return undefined
  const email = normalizeEmail(value)
  return Either.isRight(parseAddress(email)) ? email : undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, maxLabel) : undefined

// RFC 8176: `mfa` says so by itself, the others name a second thing beside the password.
const secondFactors = new Set(["mfa", "otp", "hwk", "sms", "fpt", "face"])

const hasSecondFactor = (amr: unknown): boolean =>
  Array.isArray(amr) && amr.some((one) => typeof one === "string" && secondFactors.has(one))

/** The domain of an address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)

/** Who these claims describe; `None` without a subject. */
export const person = (issuer: string, claims: Claims, fields: Person["fields"] = {}): Option.Option<Person> =>
  Option.map(subjectOf(claims["sub"]), (subject) => {
    const email = emailOf(claims["email"])
    const { amr, auth_time: authenticated } = claims
    return {
      issuer,
      subject,
      email,
      isVerified: claims["email_verified"] === true,
      label: email ?? textOf(claims["preferred_username"]) ?? textOf(claims["name"]) ?? subject,
      hasSecondFactor: hasSecondFactor(amr),
      authenticated: typeof authenticated === "number" && Number.isFinite(authenticated) ? authenticated : undefined,
      fields
    }
  })

const ownMailboxes = new Set(["gmail.com", "googlemail.com"])

// Anyone may register an address of a company as a consumer account, which says nothing of its mailbox today: only `hd`, the domain
// of a Workspace, says that the account is one of it.
const isMailboxOfGoogle = ({ email, hd }: Claims): boolean => {
  const address = emailOf(email)
  if (address === undefined) return false
  const domain = domainOf(address)
  return ownMailboxes.has(domain) || hd === domain
}

/** Where Google signs in, and of which mailboxes its accounts are. */
export const google = { issuer: "https://accounts.google.com", provesAddress: isMailboxOfGoogle } as const

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where this tenant of Entra signs in, and which claims are of its accounts; nothing for what is no id of a tenant. */
export const entra = (tenant: string) =>
  uuid.test(tenant)
    ? Option.some({
        issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
        accepts: (claims: Claims) => claims["tid"] === tenant
      })
    : Option.none()
