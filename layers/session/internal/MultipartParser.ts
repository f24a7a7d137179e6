// Parses multipart/form-data with multipasta, the parser of @effect/platform.
import * as Multipasta from "multipasta"
import * as PartHead from "../../../src/session/internal/PartHead.ts"
import type { PartEvent, PartParser } from "../../../src/session/internal/Uploads.ts"

const contentTypePattern = /^multipart\/form-data *;.*\bboundary=(?:"([^"]+)"|([^\s;"]+))/i

// What RFC 2046 allows, so that no boundary needs quoting.
const boundaryPattern = /^[\w'()+,./:=? -]{1,200}$/

const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, bare] = contentTypePattern.exec(contentType) ?? []
  const boundary = quoted ?? bare ?? ""
  return boundaryPattern.test(boundary) ? boundary : undefined
}

type Failed = Extract<PartEvent, { readonly _tag: "Failed" }>

const failed = (reason: Failed["reason"]): Failed => ({ _tag: "Failed", reason })

const failures: Readonly<Record<string, Failed | undefined>> = {
  EndNotReached: failed("endedEarly"),
  ReachedLimit: failed("fieldTooLong")
}

const malformed = failed("malformedParts")

const hyphen = 0x2d

class Parser implements PartParser {
  readonly #parser: Multipasta.Parser
  /** The end of what was parsed, for the delimiter that is split over two chunks. */
  #tail: Buffer = Buffer.alloc(0)
  #held: Buffer | undefined = undefined
  #events: Array<PartEvent> = []
  #over = false
  readonly #delimiter: Buffer

  constructor(boundary: string, maxFieldSize: number) {
    this.#delimiter = Buffer.from(`--${boundary}`, "latin1")
    this.#parser = Multipasta.make({
      headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
      maxFieldSize,
      // Of the parsed name multipasta keeps only Latin-1 characters: the header is parsed again.
      isFile: (info) => PartHead.parse(info.headers)?.filename !== undefined,
      onField: (info, value) => {
        const head = PartHead.parse(info.headers)
        this.#emit(head === undefined ? malformed : { _tag: "Field", head, value })
      },
      onFile: (info) => {
        const head = PartHead.parse(info.headers)
        this.#emit(head === undefined ? malformed : { _tag: "FileStart", head })
        return (bytes) => this.#emit(bytes === null ? { _tag: "FileEnd" } : { _tag: "FileBytes", bytes })
      },
      onError: ({ _tag }) => this.#emit(failures[_tag] ?? malformed),
      onDone: () => this.#emit({ _tag: "Done" })
    })
  }

  write(chunk: Uint8Array): ReadonlyArray<PartEvent> {
    const given = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    const isSplit = given.at(-1) === hyphen && this.#endsWithDelimiter(given.subarray(0, -1))
    // multipasta reads `--boundary-` and then `-` as the start of another part.
    this.#held = isSplit ? Buffer.from([hyphen]) : undefined
    return this.#parse(isSplit ? given.subarray(0, -1) : given)
  }

  end(): ReadonlyArray<PartEvent> {
    const last = this.#held === undefined ? [] : this.#parse(this.#held)
    this.#guard(() => this.#parser.end())
    this.#emit(failed("endedEarly"))
    return [...last, ...this.#take()]
  }

  #endsWithDelimiter(bytes: Uint8Array): boolean {
    const { length } = this.#delimiter
    return Buffer.concat([this.#tail, bytes.subarray(-length)])
      .subarray(-length)
      .equals(this.#delimiter)
  }

  #parse(bytes: Uint8Array): ReadonlyArray<PartEvent> {
    if (this.#over) return []
    this.#guard(() => this.#parser.write(bytes))
    const { length } = this.#delimiter
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-length)]).subarray(-length)
    return this.#take()
  }

  // multipasta decodes `filename*` without looking whether it can be decoded.
  #guard(parse: () => void): void {
    try {
      parse()
    } catch {
      this.#emit(malformed)
    }
  }

  #emit(event: PartEvent): void {
    if (this.#over) return
    this.#over = event._tag === "Failed" || event._tag === "Done"
    this.#events.push(event)
  }

  #take(): ReadonlyArray<PartEvent> {
    const events = this.#events
    this.#events = []
    return events
  }
}

/** A parser for a body of this content type; `undefined` when it names no boundary. */
export const make = (contentType: string, maxFieldSize: number): PartParser | undefined => {
  const boundary = boundaryOf(contentType)
  return boundary === undefined ? undefined : new Parser(boundary, maxFieldSize)
}
