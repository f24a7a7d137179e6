// Recoveries after the loss of every factor: each rule, races, and any history against a model, on both databases.
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck, Option, Redacted, TestClock } from "effect"
import { LostFactorRequests } from "../../../src/auth/internal/LostFactorRequests.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { Users } from "../../../src/auth/Users.ts"
import { enroll, stores } from "./Stores.ts"
import { describeTables } from "./TableVariants.ts"

const delay = "72 hours"

const member = Effect.gen(function* () {
  const account = yield* enroll
  yield* Effect.flatMap(Users, ({ confirm }) => confirm(account.id))
  return { ...account, verified: true } satisfies Identity
})

const nothing = () => Effect.void

/** An account whose recovery is ready, with its links. */
const ready = Effect.gen(function* () {
  const recoveries = yield* LostFactorRequests
  const account = yield* member
  const { cancel } = yield* recoveries.request(account, delay)
  yield* TestClock.adjust(delay)
  const { token } = Option.getOrThrow(yield* recoveries.announce(account.id))
  return { account, cancel: Option.getOrThrow(cancel).value, link: token.value }
})

type Step =
  | { readonly _tag: "request" | "announce" | "again" | "cancel" | "cancelBy" | "complete" | "sweep" }
  | { readonly _tag: "later"; readonly hours: number }

const steps = FastCheck.array(
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constantFrom<Step>({ _tag: "request" }, { _tag: "announce" }) },
    { weight: 2, arbitrary: FastCheck.constantFrom<Step>({ _tag: "complete" }, { _tag: "again" }, { _tag: "sweep" }) },
    { weight: 1, arbitrary: FastCheck.constantFrom<Step>({ _tag: "cancel" }, { _tag: "cancelBy" }) },
    {
      weight: 4,
      arbitrary: FastCheck.constantFrom(1, 71, 72, 167, 168).map((hours): Step => ({ _tag: "later", hours }))
    }
  ),
  { maxLength: 25 }
)

/** What a recovery is according to the rules: hours from which and until when it is ready, and whether its link was made. */
interface Model {
  readonly ready: number
  readonly expires: number
  readonly isAnnounced: boolean
}

const week = 168

describeTables("LostFactorRequests", (database, tables) => {
  layer(stores(database, {}, tables))((it) => {
    it.effect("opens one recovery for an account, which can be completed once after the delay", () =>
      Effect.gen(function* () {
        const recoveries = yield* LostFactorRequests
        const account = yield* member
        const first = yield* recoveries.request(account, delay)
        expect(first.request).toMatchObject({ user: account.id, email: account.email, state: "Waiting" })
        yield* TestClock.adjust("1 hour")
        const second = yield* recoveries.request(account, delay)
        expect(second).toEqual({ request: first.request, cancel: Option.none() })
        yield* TestClock.adjust("70 hours")
        expect(yield* recoveries.due).not.toContain(account.id)
        expect(yield* recoveries.announce(account.id, { again: true })).toEqual(Option.none())
        yield* TestClock.adjust("1 hour")
        expect(yield* recoveries.due).toContain(account.id)
        const { request: recovery, token } = Option.getOrThrow(yield* recoveries.announce(account.id))
        expect(recovery.state).toBe("Ready")
        expect(yield* recoveries.due).not.toContain(account.id)
        expect(yield* recoveries.announce(account.id)).toEqual(Option.none())
        expect(Option.isSome(yield* recoveries.owner(token.value, "complete"))).toBe(true)
        expect(yield* recoveries.complete(token.value, nothing)).toEqual(Option.some(account.id))
        expect(yield* recoveries.complete(token.value, nothing)).toEqual(Option.none())
        expect(yield* recoveries.find(account.id)).toEqual(Option.none())
      })
    )

    it.effect("knows the links of its messages apart, and no other text", () =>
      Effect.gen(function* () {
        const recoveries = yield* LostFactorRequests
        const { account, cancel, link } = yield* ready
        expect(yield* recoveries.complete(cancel, nothing)).toEqual(Option.none())
        expect(yield* recoveries.owner(cancel, "complete")).toEqual(Option.none())
        const text = Redacted.value(link)
        for (const given of ["", "x", `${text.slice(0, 17)}${"0".repeat(64)}`, `${text}0`, "\0"]) {
          expect(yield* recoveries.complete(Redacted.make(given), nothing)).toEqual(Option.none())
          expect(yield* recoveries.cancelBy(Redacted.make(given))).toEqual(Option.none())
        }
        const other = Option.getOrThrow(yield* recoveries.announce(account.id, { again: true })).token.value
        expect(yield* recoveries.complete(link, nothing)).toEqual(Option.none())
        expect(yield* recoveries.cancelBy(other)).toEqual(Option.some(account.id))
        expect(yield* recoveries.cancelBy(cancel)).toEqual(Option.none())
        expect(yield* recoveries.complete(other, nothing)).toEqual(Option.none())
      })
    )

    it.effect("ends with a change of the address, or with the account", () =>
      Effect.gen(function* () {
        const recoveries = yield* LostFactorRequests
        const users = yield* Users
        const { account, link } = yield* ready
        yield* users.changeEmail(account.id, `other-${account.email}`)
        expect(yield* recoveries.find(account.id)).toEqual(Option.none())
        expect(yield* recoveries.complete(link, nothing)).toEqual(Option.none())
        const changed = { ...account, email: `other-${account.email}` }
        expect(Option.isSome((yield* recoveries.request(changed, delay)).cancel)).toBe(true)
        const gone = yield* ready
        yield* users.remove(gone.account.id)
        expect(yield* recoveries.owner(gone.link, "any")).toEqual(Option.none())
        expect(yield* recoveries.cancel(gone.account.id)).toBe(false)
      })
    )

    it.effect("is swept once it has expired", () =>
      Effect.gen(function* () {
        const recoveries = yield* LostFactorRequests
        const { cancel, link } = yield* ready
        yield* recoveries.sweep
        expect(Option.isSome(yield* recoveries.owner(link, "complete"))).toBe(true)
        yield* TestClock.adjust("7 days")
        expect(yield* recoveries.complete(link, nothing)).toEqual(Option.none())
        expect(yield* recoveries.cancelBy(cancel)).toEqual(Option.none())
        expect(yield* recoveries.sweep).toBeGreaterThan(0)
        expect(yield* recoveries.sweep).toBe(0)
      })
    )

    it.effect("keeps a recovery whose completion fails", () =>
      Effect.gen(function* () {
        const recoveries = yield* LostFactorRequests
        const { account, link } = yield* ready
        expect(yield* Effect.flip(recoveries.complete(link, () => Effect.fail("not now")))).toBe("not now")
        expect(yield* recoveries.complete(link, nothing)).toEqual(Option.some(account.id))
      })
    )

    it.effect(
      "gives one of several requests, announcements, completions and cancellations at once what it asks for",
      () =>
        Effect.gen(function* () {
          const recoveries = yield* LostFactorRequests
          const together = { concurrency: "unbounded" } as const
          const account = yield* member
          const requests = yield* Effect.replicateEffect(recoveries.request(account, delay), 4, together)
          expect(requests.filter(({ cancel }) => Option.isSome(cancel))).toHaveLength(1)
          yield* TestClock.adjust(delay)
          const links = yield* Effect.replicateEffect(recoveries.announce(account.id), 4, together)
          expect(links.filter(Option.isSome)).toHaveLength(1)
          const { link } = yield* ready
          const completions = yield* Effect.replicateEffect(recoveries.complete(link, nothing), 4, together)
          expect(completions.filter(Option.isSome)).toHaveLength(1)
          const contested = yield* ready
          let runs = 0
          const complete = recoveries.complete(contested.link, () => Effect.sync(() => void runs++))
          const [completed, cancelled, used] = yield* Effect.all(
            [complete, recoveries.cancelBy(contested.cancel), recoveries.cancel(contested.account.id)],
            together
          )
          expect([Option.isSome(completed), Option.isSome(cancelled), used].filter(Boolean)).toHaveLength(1)
          expect(runs).toBe(Number(Option.isSome(completed)))
        })
    )

    it.effect(
      "is what the model says after any history",
      () =>
        Effect.gen(function* () {
          const recoveries = yield* LostFactorRequests
          const run = yield* Effect.runtime<LostFactorRequests | Users>()
          const history = (given: ReadonlyArray<Step>) =>
            Effect.gen(function* () {
              const account = yield* member
              let model: Model | undefined
              let now = 0
              let cancelLink = Redacted.make("")
              let link = Redacted.make("")
              const isOpen = () => model !== undefined && now < model.expires
              const isReady = () => model !== undefined && isOpen() && now >= model.ready
              for (const step of given) {
                if (step._tag === "later") {
                  now += step.hours
                  yield* TestClock.adjust(`${step.hours} hours`)
                } else if (step._tag === "request") {
                  const { cancel } = yield* recoveries.request(account, delay)
                  expect(Option.isSome(cancel)).toBe(!isOpen())
                  if (!isOpen()) model = { ready: now + 72, expires: now + 72 + week, isAnnounced: false }
                  if (Option.isSome(cancel)) cancelLink = cancel.value.value
                } else if (step._tag === "announce" || step._tag === "again") {
                  const again = step._tag === "again"
                  const announced = yield* recoveries.announce(account.id, { again })
                  const isMade = isReady() && (again || model?.isAnnounced === false)
                  expect(Option.isSome(announced)).toBe(isMade)
                  if (isMade && model !== undefined) {
                    model = { ...model, isAnnounced: true, expires: model.isAnnounced ? model.expires : now + week }
                  }
                  if (Option.isSome(announced)) link = announced.value.token.value
                } else if (step._tag === "complete") {
                  const completed = yield* recoveries.complete(link, nothing)
                  expect(Option.isSome(completed)).toBe(isReady() && model?.isAnnounced === true)
                  if (Option.isSome(completed)) model = undefined
                } else if (step._tag === "cancelBy") {
                  expect(Option.isSome(yield* recoveries.cancelBy(cancelLink))).toBe(isOpen())
                  if (isOpen()) model = undefined
                } else if (step._tag === "cancel") {
                  yield* recoveries.cancel(account.id)
                  model = undefined
                } else yield* recoveries.sweep
                const found = yield* recoveries.find(account.id)
                expect(Option.getOrUndefined(found)?.state).toBe(
                  isOpen() ? (isReady() ? "Ready" : "Waiting") : undefined
                )
              }
            })
          yield* Effect.promise(() =>
            FastCheck.assert(
              FastCheck.asyncProperty(steps, (given) => Effect.runPromise(Effect.provide(history(given), run))),
              { numRuns: 15 }
            )
          )
        }),
      120_000
    )
  })
})
