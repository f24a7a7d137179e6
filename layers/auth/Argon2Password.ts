// Password hashes by argon2id, a few at a time, so that the machine stays responsive.
import type argon2 from "argon2"
import { Effect, Fiber, Layer, Metric, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import * as Os from "node:os"
import { Overloaded, Password, type Policy } from "../../src/auth/Password.ts"
import type { StoredHash } from "../../src/auth/internal/passwords/PasswordHash.ts"
import * as PasswordRules from "../../src/auth/internal/passwords/PasswordRules.ts"
import * as PasswordHash from "../../src/auth/internal/passwords/PasswordHash.ts"
import { AuthConfig } from "../../src/auth/AuthConfig.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"
import * as OptionalPackage from "../../src/config/internal/OptionalPackage.ts"

type Argon2 = typeof argon2
type Hash = (password: string, policy: Policy) => Promise<string>

const make = Effect.gen(function* () {
  // Native: loaded when the layer is built, so that a program without passwords does not load it.
  const { default: argon2 } = yield* Effect.promise(() => import("argon2"))
  const hash = hashWith(argon2)
  const settings = yield* AuthConfig
  const policy = settings.argon2
  const permits = settings.hashConcurrency ?? spareThreads()
  const { queued, timed } = yield* boundedQueue(permits, settings.hashQueue)
  const decoying = yield* Effect.forkScoped(timed(Effect.promise(() => hash(randomBytes(16).toString("hex"), policy))))
  const bcryptShare = yield* Effect.cached(
    Effect.flatMap(loadBcrypt, (bcrypt) => Effect.promise(() => measureBcrypt(bcrypt, () => hash("", policy))))
  )

  const verifyDecoy = (decoy: string, password: string) =>
    Effect.as(
      Effect.promise(() => argon2.verify(decoy, password)),
      false
    )

  // A wrong password always takes as long as a hash by the current policy: timing reveals neither that an account exists
  // nor that its hash is old.
  const verify = Effect.fnUntraced(function* (given: string | undefined, password: string) {
    // Also for a known e-mail, which must not take less time than an unknown one while the program starts. Awaited and not
    // joined: a join would make the clock and the logger of the start those of the request.
    const decoy = yield* yield* Fiber.await(decoying)
    const stored = given ?? decoy
    const known = PasswordHash.parseHash(stored)
    if (known === undefined || !PasswordRules.isText(password)) return yield* verifyDecoy(decoy, password)
    const right = yield* matches(argon2, known, stored, password)
    if (right === undefined) return yield* verifyDecoy(decoy, password)
    if (right) return true
    const spent = known._tag === "Argon2id" ? cost(known) / cost(policy) : (yield* bcryptShare) * 2 ** known.rounds
    yield* Effect.promise(() => spendRest(hash, 1 - spent, policy))
    return false
  })

  const service = Password.of({
    hash: (password) =>
      PasswordRules.isText(Redacted.value(password))
        ? queued(Effect.promise(() => hash(Redacted.value(password), policy)))
        : Effect.dieMessage("A password with an unpaired surrogate has no UTF-8 encoding to hash"),
    verify: (stored, password) => queued(verify(stored, Redacted.value(password))),
    isStale: (stored) => PasswordHash.isStale(stored, policy)
  })
  return yield* Tracing.methods("Password", service)
})

/** Computes a decoy hash while the program starts: by it an unknown e-mail takes as long as a known one. */
export const layer: Layer.Layer<Password, never, AuthConfig> = Layer.scoped(Password, make)

// Hashes run on libuv's threads, which file access and DNS need as well: one thread and one core stay free.
const spareThreads = (): number => {
  const threads = Number(process.env["UV_THREADPOOL_SIZE"]) || 4
  return Math.max(1, Math.min(Os.availableParallelism(), threads) - 1)
}

// Effect's `Metric`, because hashing starts before the registry of the program.
const running = Metric.gauge("auth_password_hashes_running", { description: "Passwords that are being hashed" })
const waiting = Metric.gauge("auth_password_hashes_waiting", { description: "Passwords that wait to be hashed" })

const boundedQueue = (permits: number, queue: number) =>
  Effect.map(Effect.makeSemaphore(permits), (semaphore) => {
    const room = permits + queue
    // Of the last hash, which is the decoy's at first.
    let millis = 0
    const timed = <A>(work: Effect.Effect<A>): Effect.Effect<A> =>
      Effect.suspend(() => {
        const started = performance.now()
        return Effect.ensuring(
          work,
          Effect.sync(() => (millis = performance.now() - started))
        )
      })
    const retryAfter = (): number => Math.max(1, Math.ceil((room * millis) / permits / 1000))
    let inside = 0
    let hashing = 0
    const report = (): void => {
      running.unsafeUpdate(hashing, [])
      waiting.unsafeUpdate(inside - hashing, [])
    }
    const counted = <A>(work: Effect.Effect<A>): Effect.Effect<A> =>
      Effect.suspend(() => {
        hashing++
        report()
        return Effect.ensuring(
          timed(work),
          Effect.sync(() => hashing--)
        )
      })
    report()
    const queued = <A>(work: Effect.Effect<A>): Effect.Effect<A, Overloaded> =>
      Effect.uninterruptibleMask((restore) => {
        if (inside >= room) return new Overloaded({ retryAfter: retryAfter() })
        inside++
        report()
        // A client that disconnects leaves the queue. A running hash cannot be stopped, so it keeps its permit.
        return restore(semaphore.withPermits(1)(Effect.uninterruptible(counted(work)))).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              inside--
              report()
            })
          )
        )
      })
    return { queued, timed }
  })

// With a salt given it starts at once, not after a turn of the event loop, which is slow while a program starts.
const hashWith =
  (argon2: Argon2): Hash =>
  (password, { memory, time }) =>
    argon2.hash(password, {
      type: argon2.argon2id,
      memoryCost: memory,
      timeCost: time,
      parallelism: 1,
      salt: randomBytes(16)
    })

// Only a program that took over accounts with such hashes needs the package. Without it a sign-in fails loudly: a wrong
// "wrong password" would lock the account's owner out.
const loadBcrypt = OptionalPackage.load("A bcrypt hash", "bcrypt", () => import("bcrypt")).pipe(
  Effect.map((bcrypt) => bcrypt.default),
  Effect.orDie
)

type Bcrypt = Effect.Effect.Success<typeof loadBcrypt>

const matches = (
  argon2: Argon2,
  known: StoredHash,
  stored: string,
  password: string
): Effect.Effect<boolean | undefined> =>
  known._tag === "Argon2id"
    ? result(() => argon2.verify(stored, password))
    : // `$2y$` is what PHP calls `$2b$`.
      Effect.flatMap(loadBcrypt, (bcrypt) => result(() => bcrypt.compare(password, stored.replace(/^\$2y/, "$2b"))))

// `undefined` when the library cannot read the stored hash.
const result = (check: () => Promise<boolean>): Effect.Effect<boolean | undefined> =>
  Effect.promise(() => check().catch(() => undefined))

const cost = ({ memory, time }: Policy): number => memory * time

const leastMemory = 1024

const spendRest = async (hash: Hash, share: number, policy: Policy): Promise<void> => {
  const memory = Math.floor(policy.memory * share)
  if (memory >= leastMemory) await hash("", { memory, time: policy.time })
}

// The cost of one bcrypt round relative to a hash by the current policy, measured at the first bcrypt hash.
const measureBcrypt = async (bcrypt: Bcrypt, hash: () => Promise<unknown>): Promise<number> => {
  const rounds = 6
  const salt = await bcrypt.genSalt(rounds)
  return (await millisOf(() => bcrypt.hash("", salt))) / (await millisOf(hash)) / 2 ** rounds
}

const millisOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}
