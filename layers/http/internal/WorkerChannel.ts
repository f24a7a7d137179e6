// Calls between a supervisor and its workers, over the channel that node:cluster opens between them: one for each process.
import { Deferred, type Duration, Effect, FiberId, FiberSet, Predicate, Schema, type Scope } from "effect"
import cluster, { type Worker } from "node:cluster"

/** The other process has refused the call, is gone, or did not respond in time. */
export class CallFailed extends Schema.TaggedError<CallFailed>("effect-framework/http/CallFailed")("CallFailed", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The process at the other end. */
interface Peer {
  readonly isConnected: () => boolean
  readonly send: (message: object) => void
  /** What emits `disconnect` when the other process is gone. */
  readonly channel: Pick<NodeJS.EventEmitter, "once" | "off">
}

const ignore = () => undefined

/** A worker, as its supervisor sees it. */
export const toWorker = (worker: Worker): Peer => ({
  isConnected: () => worker.isConnected(),
  send: (message) => void worker.send(message, ignore),
  channel: worker
})

/** The supervisor, as a worker sees it. In a process without one no call succeeds. */
export const supervisor: Peer = {
  isConnected: () => cluster.isWorker && process.connected,
  send: (message) => void process.send?.(message, undefined, undefined, ignore),
  channel: process
}

const marker = "effect-framework/http/WorkerChannel"

type Message =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly payload: unknown }
  | { readonly kind: "result"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly reason: string }

// A boundary: only this file writes messages with the marker.
const isMessage = (given: unknown): given is Message =>
  Predicate.hasProperty(given, "marker") && given.marker === marker

const post = (peer: Peer, message: Message): void => peer.send({ marker, ...message })

const refused = (reason: string) => new CallFailed({ reason })

const gone = refused("that process does not run")

/** Runs the handler, and then the callback. */
type Handler = (payload: unknown, done: (result: Effect.Effect<unknown, CallFailed>) => void) => void

const handlers = new Map<string, Handler>()
const waiting = new Map<number, (result: Effect.Effect<unknown, CallFailed>) => void>()
let last = 0

const receive = (peer: Peer, message: unknown): void => {
  if (!isMessage(message)) return
  const { id, kind } = message
  if (kind === "result") return waiting.get(id)?.(Effect.succeed(message.value))
  if (kind === "refusal") return waiting.get(id)?.(refused(message.reason))
  const handler = handlers.get(message.name)
  if (handler === undefined) return post(peer, { kind: "refusal", id, reason: "this process cannot do that" })
  handler(message.payload, (result) =>
    Effect.runSync(
      Effect.match(result, {
        onSuccess: (value) => post(peer, { kind: "result", id, value }),
        onFailure: ({ reason }) => post(peer, { kind: "refusal", id, reason })
      })
    )
  )
}

const fromWorker = (worker: Worker, message: unknown) => receive(toWorker(worker), message)
const fromSupervisor = (message: unknown) => receive(supervisor, message)

let users = 0

// Listens while anything is called or handled.
const listening = Effect.acquireRelease(
  Effect.sync(() => {
    if (users++ > 0) return
    if (cluster.isWorker) process.on("message", fromSupervisor)
    else cluster.on("message", fromWorker)
  }),
  () =>
    Effect.sync(() => {
      if (--users > 0) return
      process.off("message", fromSupervisor)
      cluster.off("message", fromWorker)
    })
)

/** What the handler of this name in the other process returns. */
export const call = (
  peer: Peer,
  name: string,
  payload: unknown,
  timeout: Duration.DurationInput
): Effect.Effect<unknown, CallFailed> =>
  Effect.gen(function* () {
    if (!peer.isConnected()) return yield* gone
    yield* listening
    const id = ++last
    const result = Deferred.unsafeMake<unknown, CallFailed>(FiberId.none)
    const end = () => Deferred.unsafeDone(result, gone)
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        waiting.set(id, (given) => Deferred.unsafeDone(result, given))
        peer.channel.once("disconnect", end)
      }),
      () =>
        Effect.sync(() => {
          waiting.delete(id)
          peer.channel.off("disconnect", end)
        })
    )
    post(peer, { kind: "call", id, name, payload })
    const late = () => refused("that process does not respond")
    return yield* Effect.timeoutFail(Deferred.await(result), { duration: timeout, onTimeout: late })
  }).pipe(Effect.scoped)

/** Responds to the calls of this name until the scope closes. */
export const handle = (
  name: string,
  handler: (payload: unknown) => Effect.Effect<unknown, CallFailed>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* listening
    const fork = yield* FiberSet.makeRuntime<never>()
    const run: Handler = (payload, done) => {
      const work = Effect.catchAllDefect(
        Effect.suspend(() => handler(payload)),
        () => refused("it has failed there")
      )
      fork(Effect.map(Effect.either(work), done))
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => handlers.set(name, run)),
      () => Effect.sync(() => handlers.delete(name))
    )
  })
