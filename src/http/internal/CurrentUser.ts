// The signed-in user of a request, for the layout.
import { Context, Effect } from "effect"
import type { User } from "../Layout.ts"

/** Finds the signed-in user of a request among its services, for the layout. Accounts fill it; otherwise it is a guest. */
export class CurrentUser extends Context.Reference<CurrentUser>()("effect-framework/http/CurrentUser", {
  defaultValue: (): ((services: Context.Context<never>) => Effect.Effect<User | undefined>) => () =>
    Effect.succeed(undefined)
}) {}
