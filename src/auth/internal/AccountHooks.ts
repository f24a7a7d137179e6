// What a program does when an account is created, signs in with its password, or is deleted.
import { Context, Data, type Effect } from "effect"
import type { Identity } from "../../session/Identity.ts"

/** A hook in the transaction failed; the response is the one of its failure. */
export class HookFailed extends Data.TaggedError("HookFailed")<{ readonly failure: unknown }> {}

/** The two times at which a hook may run. */
export interface Hook {
  /** In the transaction of the event: when it fails, the event has not happened. */
  readonly inTransaction: ((user: Identity) => Effect.Effect<void, HookFailed>) | undefined
  /** After the response: its failure is reported and changes nothing. */
  readonly afterResponse: ((user: Identity) => Effect.Effect<void, unknown>) | undefined
}

/** The hooks of a program, by event. */
export interface Hooks {
  readonly signUp: Hook
  readonly signIn: Hook
  readonly deletion: Hook
}

const none: Hook = { inTransaction: undefined, afterResponse: undefined }

/** The hooks of a program; it has none without `SqlAccountHooks.layer`. */
export class AccountHooks extends Context.Reference<AccountHooks>()("effect-framework/auth/AccountHooks", {
  defaultValue: (): Hooks => ({ signUp: none, signIn: none, deletion: none })
}) {}
