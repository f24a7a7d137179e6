// What a program stores for an account, for the download of its owner.
import { Context, Effect } from "effect"
import type { Identity } from "../session/Identity.ts"

/** The program's own part of the download at `/account/export`; nothing unless the program provides it. */
export class AccountExport extends Context.Reference<AccountExport>()("effect-framework/auth/AccountExport", {
  defaultValue: (): {
    /** What the program stores for this account, as JSON values. */
    readonly of: (user: Identity) => Effect.Effect<unknown>
  } => ({ of: () => Effect.succeed({}) })
}) {}
