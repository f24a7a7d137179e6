// Finds the account by the session.
import * as SessionCookie from "../session/internal/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"

/** Finds the account of the session; `None` for a guest. */
export const SessionGuard: Guard<SessionCookie.Needs> = SessionCookie.identity
