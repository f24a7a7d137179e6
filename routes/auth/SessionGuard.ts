// Lets in whoever is signed in by the session.
import * as SessionCookie from "../http/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"

export const SessionGuard: Guard<SessionCookie.Needs> = SessionCookie.identity
