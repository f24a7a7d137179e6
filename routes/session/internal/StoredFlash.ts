// The message of the next page as it is stored in the session.
import { Context, Effect, Option } from "effect"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"
import type { Notice } from "../../../src/http/Layout.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Flash from "../Flash.ts"
import * as SessionCookie from "./SessionCookie.ts"

const key = "flash"

// The stored form is older than the names of the tones, and workers of both versions read it.
const prefixes = { success: "good:", error: "bad:", info: "" }

const print = ({ text, tone }: Notice): string => prefixes[tone] + text

const parse = (stored: string): Notice => {
  if (stored.startsWith(prefixes.success)) return Flash.success(stored.slice(prefixes.success.length))
  return stored.startsWith(prefixes.error) ? Flash.error(stored.slice(prefixes.error.length)) : Flash.info(stored)
}

/** Stores the message for the next page. */
export const set = (notice: Notice) =>
  Effect.flatMap(SessionCookie.current, (session) => session.set(key, print(notice)))

/** Redirects and shows the message there. */
export const redirect = (to: string, notice: Notice) => Effect.as(set(notice), NoStore.seeOther(to))

/** The stored message, which is removed; `None` without one. A HEAD request shows no page, so it removes nothing. */
export const take = RequestServices.use((services: Context.Context<SessionCookie.Needs>) => {
  const session = SessionCookie.of(services)
  const { method } = Context.get(services, RequestState)
  return Effect.map(method === "HEAD" ? session.get(key) : session.pull(key), Option.map(parse))
})
