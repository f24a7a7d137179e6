// The message that the next page shows once. Its tone travels with it; a text without one is plain.
import { Effect, Option } from "effect"
import { Exchange } from "../../src/http/Exchange.ts"
import type { Notice } from "../../src/http/Layout.ts"
import * as SessionCookie from "../http/SessionCookie.ts"

/** A message that something went well. */
export const good = (text: string): Notice => ({ tone: "good", text })

/** A message that something went wrong. */
export const bad = (text: string): Notice => ({ tone: "bad", text })

const key = "flash"

const toned = /^(good|bad):(.*)$/s

const print = ({ text, tone }: Notice): string => (tone === "plain" ? text : `${tone}:${text}`)

const parse = (stored: string): Notice => {
  const [, tone, text = ""] = toned.exec(stored) ?? []
  return tone === "good" || tone === "bad" ? { tone, text } : { tone: "plain", text: stored }
}

/** Leaves the message for the next page. */
export const leave = (notice: Notice) =>
  Effect.flatMap(SessionCookie.current, (session) => session.set(key, print(notice)))

/** Takes the message that was left, if there is one. HEAD shows nothing to anyone, so it takes nothing. */
export const take = Effect.gen(function* () {
  const { method } = yield* Exchange
  const session = yield* SessionCookie.current
  return Option.map(yield* method === "HEAD" ? session.get(key) : session.pull(key), parse)
})
