// Random sequences of sign-ins with a second factor over real sockets, compared with a small model: passwords, codes of every
// kind in any of the pending sign-ins, pauses and revocations.
import { HttpApi } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, TestClock } from "effect"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { maxTries, stepOf } from "../../../src/auth/internal/factors/FactorRules.ts"
import { Sessions } from "../../../src/session/Session.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"

const Api = HttpApi.make("sign-in-model").add(AccountsApi.group).prefix("/api")

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api)])

const handlers = ApiHandlers.layer(Api).pipe(
  Layer.provide(AccountsApi.layer(Api)),
  Layer.provide(ApiAuthentication.layer)
)

const operation = fc.record({
  pause: fc.constantFrom(0, 0, 0, 0, 0, 10, 30, 60, 300),
  verb: fc.constantFrom(
    "password",
    "password",
    "password",
    "wrongPassword",
    "code",
    "code",
    "code",
    "code",
    "code",
    "revoke",
    "me"
  ),
  code: fc.constantFrom(
    "right",
    "right",
    "behind",
    "ahead",
    "late",
    "replayed",
    "replayed",
    "wrong",
    "recovery",
    "recovery"
  ),
  pick: fc.nat({ max: 5 })
} as const)

type Operation = typeof operation extends fc.Arbitrary<infer A> ? A : never

// Fewer codes than the limit of an account in an hour, fewer passwords than its limit in ten minutes.
const sequence = fc.array(operation, { minLength: 8, maxLength: 18 })

interface Pending {
  readonly secret: string
  readonly expires: number
  tries: number
  isLive: boolean
}

interface Bearer {
  readonly token: string
  isLive: boolean
}

const drifts = { behind: -1, right: 0, ahead: 1, late: -2 } as const

const now = Effect.map(TestClock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

const run = Effect.fnUntraced(function* (operations: ReadonlyArray<Operation>) {
  const user = yield* TestApp.enrolledUser()
  const { email, password } = user
  const { recoveryCodes, secret } = yield* FactorApp.enrol(user)
  const sessions = yield* Sessions
  // The code of the enrolment is used.
  let lastStep = stepOf((yield* now) - 90)
  const unused = new Set(recoveryCodes)
  const pendings: Array<Pending> = []
  const bearers: Array<Bearer> = []

  // Each from an address of its own: the limits of a client are tested elsewhere.
  const post = Effect.fnUntraced(function* (path: string, json: object) {
    const client = yield* TestApp.guest
    return yield* client.request(path, { json })
  })

  const stepAt = (seconds: number, { code }: Operation): number | undefined =>
    code === "behind" || code === "right" || code === "ahead" || code === "late"
      ? stepOf(seconds) + drifts[code]
      : code === "replayed"
        ? lastStep
        : undefined

  const tryCode = Effect.fnUntraced(function* (given: Operation, label: string) {
    // Mostly one that waits, so that codes are accepted and replayed often.
    const waiting = pendings.filter(({ isLive, tries }) => isLive && tries < maxTries)
    const from = given.pick % 4 === 0 || waiting.length === 0 ? pendings : waiting
    const pending = from[given.pick % Math.max(1, from.length)]
    const seconds = yield* now
    const step = stepAt(seconds, given)
    const recovery = recoveryCodes[given.pick] ?? ""
    const code =
      step !== undefined
        ? yield* FactorApp.codeOf(secret, step - stepOf(seconds))
        : given.code === "recovery"
          ? recovery
          : yield* FactorApp.wrongCode(secret)
    const response = yield* post("/api/bearer/sign-in/factor", { pending: pending?.secret ?? "none", code })
    if (pending === undefined || !pending.isLive || pending.tries >= maxTries || pending.expires <= seconds) {
      return expect(response.status, label).toBe(410)
    }
    pending.tries++
    const isInTime = step !== undefined && Math.abs(step - stepOf(seconds)) <= 1 && step > lastStep
    const isUnused = given.code === "recovery" && unused.has(recovery)
    if (!isInTime && !isUnused) return expect(response.status, label).toBe(pending.tries < maxTries ? 401 : 410)
    if (isInTime) lastStep = step
    else unused.delete(recovery)
    pending.isLive = false
    expect(response.status, label).toBe(200)
    const { bearer } = response.json as { readonly bearer: { readonly token: string } }
    bearers.push({ token: bearer.token, isLive: true })
  })

  const signIn = Effect.fnUntraced(function* (isRight: boolean, label: string) {
    const response = yield* post("/api/bearer/sign-in", { email, password: isRight ? password : "not this one" })
    expect(response.status, label).toBe(isRight ? 202 : 401)
    if (!isRight) return
    const { pending } = response.json as { readonly pending: string }
    pendings.push({ secret: pending, expires: (yield* now) + 600, tries: 0, isLive: true })
  })

  const me = Effect.fnUntraced(function* (label: string, pick: number) {
    const all = [...bearers, ...pendings.map(({ secret: token }) => ({ token, isLive: false }))]
    const one = all[pick % Math.max(1, all.length)]
    const client = yield* TestApp.guest
    client.headers.set("authorization", `Bearer ${one?.token ?? "none"}`)
    expect((yield* client.request("/api/me")).status, label).toBe(one?.isLive === true ? 200 : 401)
  })

  for (const [index, given] of operations.entries()) {
    if (given.pause > 0) yield* TestClock.adjust(`${given.pause} seconds`)
    const label = JSON.stringify({ index, ...given })
    if (given.verb === "code") yield* tryCode(given, label)
    else if (given.verb === "me") yield* me(label, given.pick)
    else if (given.verb === "revoke") {
      yield* sessions.revoke(user.id)
      for (const one of [...pendings, ...bearers]) one.isLive = false
    } else yield* signIn(given.verb === "password", label)
    // Every session that exists has passed the second step, and none outlives a revocation.
    expect(yield* sessions.list(user.id), label).toHaveLength(bearers.filter(({ isLive }) => isLive).length)
  }
})

describeDatabases("Sign-in with a second factor against a model", (database) => {
  layer(TestApp.layerOf(app, { database: database.layer, environment: "production", services: handlers }))((it) => {
    it.effect("agrees on every outcome of every sequence", () =>
      Effect.gen(function* () {
        for (const operations of fc.sample(sequence, 16)) yield* run(operations)
      })
    )
  })
})
