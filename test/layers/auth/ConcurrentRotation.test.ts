// The rotation of a remember token in two phases, in two processes that share a database: claimed when a request presents the
// token, settled when its response was sent, rolled back when its client went away.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Duration, Effect, Either, Exit, FastCheck as fc, Fiber, Layer, Option, Redacted, Scope } from "effect"
import * as SqlTrust from "../../../layers/auth/SqlTrust.ts"
import * as TrustRows from "../../../layers/auth/internal/TrustRows.ts"
import { sha256 } from "../../../layers/session/internal/Digest.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import { generate, parse, print } from "../../../src/session/internal/SplitToken.ts"
import { type Theft, Trust } from "../../../src/auth/Trust.ts"
import type { State as RequestState } from "../../../src/http/internal/RequestState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"
import { enroll, requestState, signedIn, stores } from "./Stores.ts"

const live = { excludeTestServices: true } as const

type Service = Context.Tag.Service<Trust>

/** The devices as another process sees them: the same rows, nothing else in common. */
const process = Effect.map(Layer.build(Layer.fresh(SqlTrust.layerWith({ hold: 0 }))), Context.get(Trust))

interface Row {
  readonly verifier: string
  readonly previous: string | null
  readonly next: string | null
  readonly expires: number
  readonly last_used: number
}

const rowsOf = (user: AccountId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql<Row>`SELECT * FROM trusts WHERE user_id = ${user}`)

/** Until no rotation is pending. */
const settled = (user: AccountId) => eventually(rowsOf(user), (rows) => rows.every(({ next }) => next === null))

const pending = (user: AccountId) => eventually(rowsOf(user), (rows) => rows.some(({ next }) => next !== null))

/** The outcome of a request in a word, or the token that it hands out. */
const told = <A extends { readonly token: { readonly value: Redacted.Redacted } }>(
  outcome: Either.Either<Option.Option<A>, Theft>
): string =>
  Either.match(outcome, {
    onLeft: () => "theft",
    onRight: Option.match({ onNone: () => "nothing", onSome: ({ token }) => Redacted.value(token.value) })
  })

/**
 * The state of a request that arrived in time. A process knows the time of another one within the duration of a query,
 * so it arrived a second before any response: no query of a busy machine takes that long.
 */
const inTime = Effect.suspend(() => requestState({ arrived: performance.now() - 1000 }))

/** A request that presents this token to a process, in time by default. */
const begin = (trust: Service, token: string, arrived?: RequestState) =>
  Effect.gen(function* () {
    const opened = arrived ?? (yield* inTime)
    const scope = yield* Scope.make()
    const fiber = yield* Effect.fork(Effect.either(Scope.extend(trust.resume(Redacted.make(token), opened), scope)))
    return {
      outcome: Effect.map(Fiber.join(fiber), told),
      send: Effect.zipRight(
        Effect.suspend(() => opened.beforeResponse?.(false) ?? Effect.void),
        Scope.close(scope, Exit.void)
      ),
      breakOff: Effect.zipRight(Scope.close(scope, Exit.interrupt(Fiber.id(fiber))), Fiber.interruptFork(fiber))
    }
  })

/** A request that arrives now by default, from its arrival to its response. */
const whole = (trust: Service, token: string, arrived?: RequestState) =>
  Effect.gen(function* () {
    const request = yield* begin(trust, token, arrived ?? (yield* requestState()))
    const outcome = yield* request.outcome
    yield* request.send
    return outcome
  })

const issued = (trust: Service) =>
  Effect.gen(function* () {
    const identity = yield* enroll
    const token = Redacted.value((yield* trust.issue(identity.id)).value)
    return { identity, token, user: identity.id }
  })

const tampered = (token: string) => token.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))

/** A process that handed out a validator and was killed before its response was known to be sent; its lease is over. */
const killed = (token: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* TrustRows.make("trusts")
    const { selector = "", verifier = "" } = parse(token) ?? {}
    const next = generate(yield* Entropy)
    expect(yield* rows.claim(selector, sha256(verifier), sha256(next.verifier))).toBe(true)
    yield* sql`UPDATE trusts SET next_until = 0 WHERE selector = ${selector}`
    return print({ selector, verifier: next.verifier })
  })

describeDatabases("A revival", (database) => {
  layer(
    stores(database),
    live
  )((it) => {
    it.scoped("is shared by all requests of its process, however late they reach it", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const { token, user } = yield* issued(trust)
        const slow = yield* inTime
        const requests = yield* Effect.all(Array.from({ length: 10 }, () => begin(trust, token)))
        const outcomes = yield* Effect.all(requests.map(({ outcome }) => outcome))
        expect(new Set(outcomes).size).toBe(1)
        for (const { send } of requests) yield* send
        expect(yield* whole(trust, token, slow)).toBe(outcomes[0])
        yield* settled(user)
        expect(yield* whole(trust, token)).toBe("theft")
        expect(yield* rowsOf(user)).toEqual([])
      })
    )

    it.scoped("leaves requests that arrived in time at another process without a session, and revokes nothing", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* Trust, yield* process]
        const { identity, token, user } = yield* issued(here)
        const browser = yield* signedIn(identity)
        const slow = yield* inTime
        const first = yield* begin(here, token)
        const next = yield* first.outcome
        const second = yield* begin(there, token)
        yield* first.send
        expect(yield* second.outcome).toBe("nothing")
        yield* second.send
        expect(yield* whole(there, token, slow)).toBe("nothing")
        expect(yield* browser.isSignedIn).toBe(true)
        expect(yield* whole(there, next)).toContain(".")
        yield* settled(user)
        expect(yield* rowsOf(user)).toHaveLength(1)
      })
    )

    it.scoped("that takes longer than a request of another process waits keeps its cookies", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* Trust, yield* process]
        const { token } = yield* issued(here)
        const first = yield* begin(here, token)
        yield* first.outcome
        const late = yield* inTime
        const second = yield* begin(there, token, late)
        expect(yield* second.outcome).toBe("nothing")
        expect(late.lostRace).toBe(true)
        yield* first.send
      })
    )

    it.scoped("makes its token a replay in every process once the response was sent, and ends every session", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* Trust, yield* process]
        const { identity, token, user } = yield* issued(here)
        const browser = yield* signedIn(identity)
        expect(yield* whole(here, token)).toContain(".")
        expect(yield* whole(there, token)).toBe("theft")
        expect(yield* rowsOf(user)).toEqual([])
        expect(yield* browser.isSignedIn).toBe(false)
      })
    )

    it.scoped(
      "that could not be sent leaves the series unchanged, and a waiting request of another process rotates it",
      () =>
        Effect.gen(function* () {
          const [here, there] = [yield* Trust, yield* process]
          const { token, user } = yield* issued(here)
          const before = yield* rowsOf(user)
          const first = yield* begin(here, token)
          yield* first.outcome
          yield* first.breakOff
          expect(yield* settled(user)).toEqual(before)
          const again = yield* begin(here, token)
          yield* again.outcome
          const waiting = yield* begin(there, token)
          yield* again.breakOff
          expect(yield* waiting.outcome).toContain(".")
          yield* waiting.send
          yield* settled(user)
          expect(yield* whole(here, token)).toBe("theft")
        })
    )

    it.scoped("of a process that was killed gives the series back, to the old token or to the new one", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const unknown = yield* issued(trust)
        yield* killed(unknown.token)
        expect(yield* whole(trust, unknown.token)).toContain(".")
        const delivered = yield* issued(trust)
        const next = yield* killed(delivered.token)
        expect(yield* whole(trust, next)).toContain(".")
        yield* settled(delivered.user)
        expect(yield* whole(trust, delivered.token)).toBe("theft")
        const rotated = yield* issued(trust)
        const handedOut = yield* killed(rotated.token)
        expect(Option.isSome(yield* trust.rotate(Redacted.make(handedOut)))).toBe(true)
      })
    )

    it.scoped("that is pending makes rotate return None, without waiting", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const { token } = yield* issued(trust)
        const first = yield* begin(trust, token)
        const next = yield* first.outcome
        expect(yield* trust.rotate(Redacted.make(token))).toEqual(Option.none())
        yield* first.send
        expect(Option.isSome(yield* trust.rotate(Redacted.make(next)))).toBe(true)
      })
    )

    it.scoped("that is pending can be forgotten, with either validator", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        for (const which of ["old", "new"] as const) {
          const { token, user } = yield* issued(trust)
          const first = yield* begin(trust, token)
          const next = yield* first.outcome
          expect(yield* trust.forget(Redacted.make(which === "old" ? token : next))).toBe(true)
          yield* first.send
          expect(yield* rowsOf(user)).toEqual([])
        }
      })
    )
  })

  layer(
    stores(database, { rememberGrace: Duration.seconds(60) }),
    live
  )((it) => {
    it.scoped("with a grace, makes the validator just before a lost race for that long, and no older one", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* Trust, yield* process]
        const { token, user } = yield* issued(here)
        const next = yield* whole(here, token)
        yield* settled(user)
        for (const trust of [here, there]) expect(yield* whole(trust, token)).toBe("nothing")
        yield* whole(there, next)
        yield* settled(user)
        expect(yield* whole(here, token)).toBe("theft")
      })
    )
  })
})

const operation = fc.record({
  verb: fc.constantFrom("present", "present", "send", "send", "break", "kill", "held up", "previous", "older", "wrong"),
  here: fc.boolean()
} as const)

const sequences = fc.sample(fc.array(operation, { minLength: 12, maxLength: 30 }), { numRuns: 10, seed: 20_240_608 })

describeDatabases("Revivals against a model", (database) => {
  layer(
    stores(database),
    live
  )((it) => {
    it.scoped(
      "agree on every outcome of every sequence",
      () =>
        Effect.gen(function* () {
          const processes = [yield* Trust, yield* process] as const
          type Request = Effect.Effect.Success<ReturnType<typeof begin>>
          for (const operations of sequences) {
            let { token: current, user } = yield* issued(processes[0])
            let older: Array<string> = []
            /** Arrived before the current token was sent, and from which process that was. */
            let early: { readonly state: RequestState; readonly from: boolean } | undefined
            let open: { readonly here: boolean; readonly next: string; readonly requests: Array<Request> } | undefined
            let waiting: Array<Request> = []
            const restart = Effect.gen(function* () {
              for (const { breakOff } of open?.requests ?? []) yield* breakOff
              for (const { breakOff } of waiting) yield* breakOff
              const fresh = yield* issued(processes[0])
              current = fresh.token
              user = fresh.user
              older = []
              early = undefined
              open = undefined
              waiting = []
            })
            const theft = (token: string, here: boolean, label: string) =>
              Effect.gen(function* () {
                expect(yield* whole(processes[here ? 0 : 1], token), label).toBe("theft")
                expect(yield* rowsOf(user), label).toEqual([])
                for (const { outcome } of waiting) expect(yield* outcome, label).toBe("nothing")
                yield* restart
              })
            for (const [step, { here, verb }] of operations.entries()) {
              const label = JSON.stringify({ operations: operations.slice(0, step + 1) })
              const trust = processes[here ? 0 : 1]
              if (verb === "present") {
                const request = yield* begin(trust, current)
                if (open === undefined) {
                  const next = yield* request.outcome
                  expect(next, label).toContain(".")
                  open = { here, next, requests: [request] }
                } else if (open.here === here) {
                  expect(yield* request.outcome, label).toBe(open.next)
                  open.requests.push(request)
                } else waiting.push(request)
              } else if (verb === "send" && open !== undefined) {
                early = { state: yield* inTime, from: open.here }
                for (const { send } of open.requests) yield* send
                for (const { outcome, send } of waiting) {
                  expect(yield* outcome, label).toBe("nothing")
                  yield* send
                }
                yield* settled(user)
                older.push(current)
                current = open.next
                open = undefined
                waiting = []
              } else if (verb === "break" && open !== undefined) {
                for (const { breakOff } of open.requests) yield* breakOff
                const [first, ...others] = waiting
                if (first === undefined) open = undefined
                else {
                  const next = yield* first.outcome
                  expect(next, label).toContain(".")
                  for (const { outcome } of others) expect(yield* outcome, label).toBe(next)
                  open = { here: !open.here, next, requests: waiting }
                  yield* pending(user)
                }
                waiting = []
                if (open === undefined) yield* settled(user)
              } else if (verb === "kill" && open === undefined) {
                const next = yield* killed(current)
                // Its response may have arrived: then the next token is the current one.
                if (here) {
                  const request = yield* begin(trust, next)
                  const successor = yield* request.outcome
                  expect(successor, label).toContain(".")
                  older.push(current)
                  current = next
                  early = undefined
                  open = { here, next: successor, requests: [request] }
                }
              } else if (verb === "held up" && early !== undefined) {
                const expected = early.from === here ? current : "nothing"
                expect(yield* whole(trust, older.at(-1) ?? "", early.state), label).toBe(expected)
              } else if (verb === "previous" && older.length > 0) yield* theft(older.at(-1) ?? "", here, label)
              else if (verb === "older" && older.length > 1) yield* theft(older.at(-2) ?? "", here, label)
              else if (verb === "wrong") yield* theft(tampered(current), here, label)
            }
            yield* restart
          }
        }),
      240_000
    )
  })
})
