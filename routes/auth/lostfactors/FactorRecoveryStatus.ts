// How far the recovery of an account without factors is, for the page and for the API.
import { Option } from "effect"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import type { FactorRecovery } from "../../../src/auth/FactorRecoveries.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"

const stateOf = ({ ready, state }: FactorRecovery) =>
  ({ state: state === "Ready" ? "ready" : "waiting", ready }) as const

/** What a person reads of it. */
export const sentence = ({ ready, state }: FactorRecovery, { locale, texts }: Language): string => {
  const { factorRecovery: own } = texts(AuthTexts)
  return state === "Ready" ? own.ready : own.waiting(Words.moment(new Date(ready * 1000), locale))
}

/** What a client reads of it after it was asked for. */
export const told = (recovery: FactorRecovery, language: Language) => ({
  message: sentence(recovery, language),
  ...stateOf(recovery)
})

interface Current {
  readonly recovery: Option.Option<FactorRecovery>
  readonly isVerified: boolean
}

/** What a client reads before it asks for one. */
export const overview = ({ isVerified, recovery }: Current) => ({
  ...Option.match(recovery, { onNone: () => ({ state: "none" }) as const, onSome: stateOf }),
  available: isVerified
})
