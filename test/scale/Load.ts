// A bounded load of visitors through HAProxy: each has one request at a time and a pause after it.
import { Effect, Exit, Fiber } from "effect"
import * as TestClient from "../../testing/TestClient.ts"
import * as People from "./People.ts"

/** What one request came to; no status when the connection broke. */
export interface Outcome {
  readonly request: string
  readonly status: number | undefined
  readonly at: number
}

export interface Load {
  readonly outcomes: ReadonlyArray<Outcome>
  /** Addresses whose registration was answered as done. */
  readonly registered: ReadonlyArray<string>
  /** Lets every visitor finish the request in progress. */
  readonly stop: Effect.Effect<void>
}

interface Options {
  readonly visitors: number
  /** Milliseconds between two requests of a visitor. */
  readonly pause: number
}

// Most requests read; every twelfth visit of a visitor is a new account, which writes to five tables.
const visits = ["/account", "/articles?limit=10", "/account", "/login", "/articles?page=3"]
const registersEvery = 12

/** Starts the visitors, and ends them with the scope. Signing in is part of the start, and must work. */
export const start = (url: string, { pause, visitors }: Options) =>
  Effect.gen(function* () {
    const outcomes: Array<Outcome> = []
    const registered: Array<string> = []
    const state = { isStopped: false }

    const record = (request: string, exit: Exit.Exit<TestClient.TestResponse>): number | undefined => {
      const status = Exit.isSuccess(exit) ? exit.value.status : undefined
      outcomes.push({ request, status, at: Date.now() })
      return status
    }

    const register = Effect.gen(function* () {
      const email = People.newEmail()
      const browser = TestClient.make(url)
      const form = { email, password: People.password, password_confirmation: People.password }
      const token = yield* Effect.exit(browser.get("/register"))
      const page = Exit.isSuccess(token) ? /name="_token" value="([^"]+)"/.exec(token.value.body)?.[1] : undefined
      if (record("GET /register", token) !== 200 || page === undefined) return
      const done = yield* Effect.exit(browser.request("/register", { form: { _token: page, ...form } }))
      if (record("POST /register", done) === 303) registered.push(email)
    })

    const visitor = (browser: TestClient.TestClient, first: number) =>
      Effect.gen(function* () {
        for (let visit = first; !state.isStopped; visit++) {
          if (visit % registersEvery === 0) yield* register
          else {
            const path = visits[visit % visits.length] ?? "/account"
            record(`GET ${path}`, yield* Effect.exit(browser.get(path)))
          }
          yield* Effect.sleep(pause)
        }
      })

    const people = yield* Effect.forEach(Array.from({ length: visitors }), () => People.registered(url))
    const fibers = yield* Effect.forEach(people, ({ browser }, index) => Effect.forkScoped(visitor(browser, index + 1)))
    const load: Load = {
      outcomes,
      registered,
      stop: Effect.suspend(() => {
        state.isStopped = true
        return Effect.asVoid(Fiber.joinAll(fibers))
      })
    }
    return load
  })

/** How often each status came, most often first: `1200 × 200, 3 × 503`. */
export const summary = (outcomes: ReadonlyArray<Outcome>): string => {
  const counts = new Map<string, number>()
  for (const { status } of outcomes) {
    const name = status === undefined ? "broken" : String(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${count} × ${name}`)
    .join(", ")
}

/** The requests that did not get what a visitor hopes for. */
export const failures = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Outcome> =>
  outcomes.filter(({ status }) => status !== 200 && status !== 303)
