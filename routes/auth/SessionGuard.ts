// Lets in whoever is signed in by the session.
import * as SessionCookie from "../http/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"

/** Knows whoever the session belongs to; nobody for a guest. */
export const SessionGuard: Guard<SessionCookie.Needs> = SessionCookie.identity
