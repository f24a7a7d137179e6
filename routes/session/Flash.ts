// The message that the next page shows once, stored in the session with its tone.
import { Context, Effect, Option } from "effect"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import type { Notice } from "../../src/http/Layout.ts"
import * as NoStore from "../http/internal/NoStore.ts"
import * as SessionCookie from "./internal/SessionCookie.ts"

/** A success message. */
export const good = (text: string): Notice => ({ tone: "good", text })

/** An error message. */
export const bad = (text: string): Notice => ({ tone: "bad", text })

const key = "flash"

const toned = /^(good|bad):(.*)$/s

const print = ({ text, tone }: Notice): string => (tone === "plain" ? text : `${tone}:${text}`)

const parse = (stored: string): Notice => {
  const [, tone, text = ""] = toned.exec(stored) ?? []
  return tone === "good" || tone === "bad" ? { tone, text } : { tone: "plain", text: stored }
}

/** Stores the message for the next page. */
export const set = (notice: Notice) =>
  Effect.flatMap(SessionCookie.current, (session) => session.set(key, print(notice)))

/** Redirects and shows the message there. */
export const redirect = (to: string, notice: Notice) => Effect.as(set(notice), NoStore.seeOther(to))

/** The stored message, which is removed; `None` without one. A HEAD request shows no page, so it removes nothing. */
export const take = Effect.contextWithEffect((services: Context.Context<SessionCookie.Needs>) => {
  const session = SessionCookie.of(services)
  const { method } = Context.get(services, RequestState)
  return Effect.map(method === "HEAD" ? session.get(key) : session.pull(key), Option.map(parse))
})
