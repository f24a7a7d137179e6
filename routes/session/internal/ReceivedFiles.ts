// Receives the files of a form one after the other, and notes what is wrong with them.
import { Effect, type Scope } from "effect"
import { type BodyError, MalformedBody } from "../../../src/http/BodyError.ts"
import * as FileSignature from "../../../src/session/internal/FileSignature.ts"
import * as PartHead from "../../../src/session/internal/PartHead.ts"
import { FileTooLarge, TooManyFiles, WrongFileType } from "../../../src/session/UploadError.ts"
import { Uploads } from "../../../src/session/internal/Uploads.ts"
import type { MultipartBody } from "./MultipartBody.ts"
import type { Rule, UploadedFile } from "./UploadForm.ts"

/** Every reason for which a file is refused. */
export type UploadError = FileTooLarge | WrongFileType | TooManyFiles

type Texts = Readonly<Record<string, string>>

/** What is wrong with a file: the failure, once the rest of the form is known. */
export interface Problem {
  readonly field: string
  readonly failure: (fieldErrors: Texts, values: Texts) => UploadError
}

export const tooLarge = (field: string, limit: number): Problem => ({
  field,
  failure: (fieldErrors, values) => new FileTooLarge({ field, limit, fieldErrors, values })
})

const wrongType = (field: string, allowed: ReadonlyArray<string>): Problem => ({
  field,
  failure: (fieldErrors, values) => new WrongFileType({ field, allowed, fieldErrors, values })
})

const tooMany = (field: string, limit: number): Problem => ({
  field,
  failure: (fieldErrors, values) => new TooManyFiles({ field, limit, fieldErrors, values })
})

export class ReceivedFiles {
  readonly problems: Array<Problem> = []
  readonly files = new Map<string, Array<UploadedFile>>()
  /** Fields with a file of no bytes. */
  readonly empty = new Set<string>()
  /** The field whose file is being received. */
  current: string | undefined = undefined
  /** The body was not read to its end: what is missing was perhaps sent. */
  isCut = false
  readonly #rules: ReadonlyMap<string, Rule>

  constructor(rules: ReadonlyMap<string, Rule>) {
    this.#rules = rules
  }

  /** Receives the file whose head was read. A file that is refused is not written; `body` skips the rest of it. */
  receive(body: MultipartBody, head: PartHead.PartHead): Effect.Effect<void, BodyError, Uploads | Scope.Scope> {
    const { filename = "", name: field, type } = head
    // What a browser sends for a file field in which nothing was chosen.
    if (filename === "") return Effect.void
    const rule = this.#rules.get(field)
    if (rule === undefined) return new MalformedBody({ reason: "unknownFile" })
    this.current = field
    const count = this.files.get(field)?.length ?? 0
    if (count >= rule.maxCount) return this.#note(tooMany(field, rule.maxCount))
    if (!FileSignature.isAllowed(type, rule.types)) return this.#note(wrongType(field, rule.types ?? []))
    return this.#write(body, head, rule)
  }

  #note(problem: Problem): Effect.Effect<void> {
    return Effect.sync(() => void this.problems.push(problem))
  }

  #write(body: MultipartBody, { filename = "", name: field, type: declared }: PartHead.PartHead, rule: Rule) {
    const { maxSize, types } = rule
    return Effect.gen(this, function* () {
      const first = yield* firstBytes(body)
      if (first.length === 0) return void this.empty.add(field)
      const type = FileSignature.check(declared, first, types)
      if (type === undefined) return yield* this.#note(wrongType(field, types ?? []))
      const { create } = yield* Uploads
      const file = yield* create
      let size = 0
      let bytes: Uint8Array | undefined = first
      while (bytes !== undefined) {
        size += bytes.length
        if (size > maxSize) {
          yield* file.discard
          return yield* this.#note(tooLarge(field, maxSize))
        }
        yield* file.write(bytes)
        bytes = yield* body.fileBytes
      }
      yield* file.finish
      const { path, persist } = file
      const received: UploadedFile = { name: PartHead.baseName(filename), type, size, path, persist }
      this.files.set(field, [...(this.files.get(field) ?? []), received])
      this.current = undefined
    })
  }
}

// Nothing is written before the first bytes show the type.
const firstBytes = (body: MultipartBody, begin: Uint8Array = new Uint8Array()): Effect.Effect<Uint8Array, BodyError> =>
  Effect.flatMap(body.fileBytes, (bytes) => {
    if (bytes === undefined) return Effect.succeed(begin)
    const all = begin.length === 0 ? bytes : Buffer.concat([begin, bytes])
    return all.length < FileSignature.length ? firstBytes(body, all) : Effect.succeed(all)
  })
