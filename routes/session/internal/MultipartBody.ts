// A multipart body that is read step by step: the fields before the first file, and later the rest.
import { HttpServerRequest } from "@effect/platform"
import { type Chunk, Effect, Option, Stream } from "effect"
import { type BodyError, BodyTooLarge, MalformedBody, TooManyParts } from "../../../src/http/BodyError.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import { RequestState, type State } from "../../../src/http/internal/RequestState.ts"
import * as Fields from "../../../src/http/internal/Fields.ts"
import type { PartHead } from "../../../src/session/internal/PartHead.ts"
import { type PartEvent, type PartParser, Uploads } from "../../../src/session/internal/Uploads.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"

type FileEvent = Exclude<PartEvent, { readonly _tag: "Field" | "Failed" }>

type Pull = Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<unknown>>

const brokenOff = new MalformedBody({ reason: "endedEarly" })

export class MultipartBody {
  readonly #pull: Pull
  readonly #parser: PartParser
  readonly #state: State
  readonly #limit: number
  #maxParts = Fields.maxFields
  #waiting: ReadonlyArray<PartEvent> = []
  /** The event after the first fields. */
  #peeked: FileEvent | undefined = undefined
  #isInFile = false
  #values: Array<readonly [string, string]> = []
  #fieldBytes = 0
  #bytes = 0
  #parts = 0
  /** Whether the length that the client stated is over the limit of the route. */
  readonly isTooLong: boolean

  constructor(pull: Pull, parser: PartParser, state: State, length: number) {
    this.#pull = pull
    this.#parser = parser
    this.#state = state
    this.#limit = RouteOptions.of(state).bodyLimit ?? defaultLimit
    this.isTooLong = length > this.#limit
  }

  /** The fields so far. */
  get fields(): Fields.Fields {
    return Fields.fromPairs(this.#values)
  }

  allowParts(count: number): void {
    this.#maxParts = count
  }

  /** Collects the fields before the first file, which stays to be read. */
  readonly head: Effect.Effect<Fields.Fields, BodyError> = Effect.suspend(() =>
    Effect.map(this.#event, (event) => {
      this.#peeked = event
      return this.fields
    })
  )

  /** Collects fields up to the next file; its head, or `undefined` at the end of the body. Skips an unread file. */
  readonly nextFile: Effect.Effect<PartHead | undefined, BodyError> = Effect.suspend(() => {
    if (this.#isInFile) return Effect.zipRight(this.#skip, this.nextFile)
    const peeked = this.#peeked
    this.#peeked = undefined
    return Effect.map(peeked === undefined ? this.#event : Effect.succeed(peeked), (event) => {
      if (event._tag !== "FileStart") return undefined
      this.#isInFile = true
      return event.head
    })
  })

  /** The next bytes of the file, `undefined` at its end. */
  readonly fileBytes: Effect.Effect<Uint8Array | undefined, BodyError> = Effect.suspend(() => {
    if (!this.#isInFile) return Effect.succeed(undefined)
    return Effect.map(this.#event, (event) => {
      if (event._tag === "FileBytes") return event.bytes
      this.#isInFile = false
      return undefined
    })
  })

  readonly #skip: Effect.Effect<void, BodyError> = Effect.suspend(() =>
    Effect.flatMap(this.fileBytes, (bytes) => (bytes === undefined ? Effect.void : this.#skip))
  )

  // The next event that is no field. Fields are collected, and a failure fails.
  readonly #event: Effect.Effect<FileEvent, BodyError> = Effect.suspend(() => {
    for (let index = 0; index < this.#waiting.length; index++) {
      const event = this.#waiting[index]
      if (event === undefined) break
      const failure = this.#count(event)
      if (failure !== undefined) return failure
      if (event._tag === "Field" || event._tag === "Failed") continue
      this.#waiting = this.#waiting.slice(index + 1)
      return Effect.succeed(event)
    }
    this.#waiting = []
    return Effect.zipRight(this.#more, this.#event)
  })

  #count(event: PartEvent): BodyError | undefined {
    if (event._tag === "Failed") return new MalformedBody({ reason: event.reason })
    const isPart = event._tag === "Field" || event._tag === "FileStart"
    if (isPart && ++this.#parts > this.#maxParts) return new TooManyParts({ limit: this.#maxParts })
    if (event._tag !== "Field") return undefined
    this.#fieldBytes += event.value.length
    if (this.#fieldBytes > defaultLimit) return new BodyTooLarge({ limit: defaultLimit })
    const value = decode(event.value)
    if (value === undefined) return new MalformedBody({ reason: "notUtf8" })
    this.#values.push([event.head.name, value])
    // What an error page masks.
    this.#state.fields = this.fields
    return undefined
  }

  readonly #more: Effect.Effect<void, BodyError> = Effect.suspend(() =>
    Effect.matchEffect(this.#pull, {
      onSuccess: (chunks) => {
        const events: Array<PartEvent> = []
        for (const bytes of chunks) {
          this.#bytes += bytes.length
          if (this.#bytes > this.#limit) return new BodyTooLarge({ limit: this.#limit })
          events.push(...this.#parser.write(bytes))
        }
        this.#waiting = events
        return Effect.void
      },
      onFailure: (cause) => {
        if (Option.isSome(cause)) return brokenOff
        const events = this.#parser.end()
        this.#waiting = events.length === 0 ? [{ _tag: "Done" }] : events
        return Effect.void
      }
    })
  )
}

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const slot: unique symbol = Symbol.for("effect-framework/session/MultipartBody")

interface Held extends State {
  [slot]?: MultipartBody
}

/** The body of this request, opened once. */
export const open = Effect.gen(function* () {
  const state: Held = yield* RequestState
  const known = state[slot]
  if (known !== undefined) return known
  const request = yield* HttpServerRequest.HttpServerRequest
  const { parser } = yield* Uploads
  const parts = parser(request.headers["content-type"] ?? "")
  if (parts === undefined) return yield* new MalformedBody({ reason: "noBoundary" })
  const pull = yield* Stream.toPull(request.stream)
  return (state[slot] = new MultipartBody(pull, parts, state, Number(request.headers["content-length"])))
})
