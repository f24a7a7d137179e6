// Lets in whoever is signed in by the session.
import { Effect } from "effect"
import * as SessionCookie from "../http/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"

export const SessionGuard: Guard<SessionCookie.Needs> = Effect.flatMap(
  SessionCookie.current,
  (session) => session.identity
)
