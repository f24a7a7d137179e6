import { describe, expect, it } from "@effect/vitest"
import {
  type Content,
  dataOf,
  isPending,
  type SignedIn,
  type Standing,
  write
} from "../../../layers/session/internal/SessionContent.ts"
import { AccountId } from "../../../src/session/Identity.ts"

const user = AccountId.make("ann")

const row = { user, data: `{"a":"1"}`, version: 1, last_seen: 0, expires: 10, absolute: 10, email: "", verified: null }

const origin = (isDue: boolean): SignedIn => ({ _tag: "SignedIn", key: "key", row, isDue })

const member = (how: "Kept" | "Moved" | "New"): Standing => ({
  _tag: "SignedIn",
  id: "id",
  identity: { id: user, email: "", verified: false },
  row: how
})

const content = (from: Content["origin"], standing: Standing): Content => ({
  origin: from,
  standing,
  data: undefined,
  changes: new Map(),
  flushed: false,
  changed: false
})

const guest: Standing = { _tag: "Guest", nonce: undefined }

describe("SessionContent", () => {
  it.each([
    ["a guest who changed nothing", content({ _tag: "None" }, guest), false],
    ["a guest whose data changed", { ...content({ _tag: "Guest" }, guest), changed: true }, true],
    ["a sign-in", content({ _tag: "None" }, member("New")), true],
    ["a member who changed nothing", content(origin(false), member("Kept")), false],
    ["a member whose last use is to be written", content(origin(true), member("Kept")), true],
    ["a member with a new id", content(origin(false), member("Moved")), true]
  ])("decides whether to write %s", (_, given, expected) => {
    expect(isPending(given)).toBe(expected)
  })

  it("is pending after a value has changed, and not after the same value was set again", () => {
    const session = content(origin(false), member("Kept"))
    write(session, "a", "1")
    expect(isPending(session)).toBe(false)
    write(session, "a", "2")
    expect([isPending(session), dataOf(session)]).toEqual([true, new Map([["a", "2"]])])
  })
})
