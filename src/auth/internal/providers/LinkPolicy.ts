// What a sign-in with a provider leads to. An address never links by itself: only a provider that is authoritative for its
// domain speaks for the person who has the mailbox.
import type { AccountId } from "../../../session/Identity.ts"

/** What the provider says of the person's address. */
export type Address =
  /** It is absent, malformed, or there are two. */
  | { readonly _tag: "Unusable" }
  /** `isAuthoritative` where the provider was declared so for this domain, and has said boolean `true`. */
  | { readonly _tag: "Usable"; readonly email: string; readonly isAuthoritative: boolean }

/** An account that has the address. */
interface Holder {
  readonly user: AccountId
  /** Whether its own address was proved. */
  readonly isProved: boolean
  /** Whether it has an identity of the same issuer: another subject, since this one is unknown. */
  readonly hasOther: boolean
}

/** What is known when the provider has said who the person is. */
export interface Facts {
  /** The account that the identity is linked to. */
  readonly linked: AccountId | undefined
  readonly address: Address
  /** The account that has the address. */
  readonly holder: Holder | undefined
}

/** What follows. */
export type Outcome =
  | { readonly _tag: "SignIn"; readonly user: AccountId }
  | { readonly _tag: "AskAddress" }
  | { readonly _tag: "SignUp"; readonly email: string; readonly isProved: boolean }
  /** The person signs in to this account once: then the identity is linked. */
  | { readonly _tag: "Connect"; readonly user: AccountId }
  /** The identity is linked; before, on an account whose address nobody has proved, everything ends as after a reset. */
  | { readonly _tag: "Link"; readonly user: AccountId; readonly isReset: boolean }

/** The outcome of these facts. */
export const decide = ({ address, holder, linked }: Facts): Outcome => {
  if (linked !== undefined) return { _tag: "SignIn", user: linked }
  if (address._tag === "Unusable") return { _tag: "AskAddress" }
  const { email, isAuthoritative } = address
  if (holder === undefined) return { _tag: "SignUp", email, isProved: isAuthoritative }
  // A mailbox that its domain gives to the next person: the subject is not the one that the account knows. An account that nobody
  // has proved keeps no identity after the reset.
  const isReused = holder.isProved && holder.hasOther
  if (!isAuthoritative || isReused) return { _tag: "Connect", user: holder.user }
  return { _tag: "Link", user: holder.user, isReset: !holder.isProved }
}
