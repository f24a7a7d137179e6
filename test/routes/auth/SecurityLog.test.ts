import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as SecurityLog from "../../../routes/auth/SecurityLog.ts"
import { AccountId } from "../../../src/auth/Identity.ts"
import { type Entry, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"

const account = AccountId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")

it.effect("records nothing in a program without security events", () =>
  SecurityLog.record(account, { _tag: "SignedOut" })
)

it.effect("records an event outside of a request without a place", () =>
  Effect.gen(function* () {
    const entries: Array<Entry> = []
    const events = SecurityEvents.of({
      record: (entry) => Effect.sync(() => String(entries.push(entry))),
      list: () => Effect.dieMessage("unused"),
      stream: () => Stream.empty,
      sweep: Effect.succeed(0)
    })
    yield* SecurityLog.record(account, { _tag: "AccountDeleted" }, { actor: "operator" }).pipe(
      Effect.provideService(SecurityEvents, events)
    )
    expect(entries).toEqual([{ account, event: { _tag: "AccountDeleted" }, actor: "operator", place: undefined }])
  })
)
