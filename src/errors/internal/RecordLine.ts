// The record of a throwable, and its line of JSON.
import * as Redaction from "../Redaction.ts"
import { longestStatement } from "./ErrorBody.ts"
import { clip } from "../../http/internal/text/SafeText.ts"
import type { ExceptionCause, ExceptionFrame, ExceptionRecord } from "../ExceptionRecords.ts"
import type { ReportContext } from "../Reporters.ts"
import { located, relative } from "./debug/SourceExcerpt.ts"
import type { Sources } from "../Sources.ts"
import * as Stack from "./Stack.ts"
import type { Throwable } from "../Throwable.ts"

/** The log channel. */
export const channel = "exceptions"

const longest = 4096
const maxFrames = 16

/** Makes the records of throwables. */
export interface Maker {
  /** `at` is in milliseconds since the epoch; `isMapped` says whether the source maps are open, as they usually are. */
  readonly make: (
    throwable: Throwable,
    context: ReportContext,
    at: number,
    secrets?: ReadonlyArray<string>,
    isMapped?: boolean
  ) => ExceptionRecord
  /** Looks every place up again: its source map may be open now. */
  readonly forget: () => void
}

/** The frames of the project, and the place: its innermost frame of the project, else of a dependency. */
interface Places {
  readonly own: ReadonlyArray<ExceptionFrame>
  readonly place: ExceptionFrame
}

const none: ExceptionFrame = { function: "", file: "", line: 0 }

/** A maker for these sources and this version of the program. It keeps the frames that it has looked up. */
export const maker = (sources: Sources["Type"], version?: string | undefined): Maker => {
  // The same stack is the same list each time.
  let known = new WeakMap<ReadonlyArray<Stack.Frame>, Places>()

  const lookUp = (frames: ReadonlyArray<Stack.Frame>): Places => {
    const all = located(sources, frames).map((frame) => ({
      isOwn: frame.file !== "" && !Stack.isForeign(frame),
      shown: { function: clean(frame.call, [], 240), file: clean(frame.file, [], 1024), line: frame.line }
    }))
    const own = all.filter(({ isOwn }) => isOwn).map(({ shown }) => shown)
    return { own, place: own[0] ?? all.find(({ shown }) => shown.file !== "")?.shown ?? none }
  }

  const placesOf = ({ frames }: Throwable, secrets: ReadonlyArray<string>): Places => {
    const found = known.get(frames) ?? lookUp(frames)
    known.set(frames, found)
    if (secrets.length === 0) return found
    return { own: found.own.map((frame) => hide(frame, secrets)), place: hide(found.place, secrets) }
  }

  return {
    forget: () => void (known = new WeakMap()),
    make: (throwable, context, at, secrets = [], isMapped = true) => {
      const chain = throwable.chain.map((link) => ({ link, ...placesOf(link, secrets) }))
      const first = placesOf(throwable, secrets)
      // What failed in a dependency was called for a reason: the nearest cause in the project says where.
      const { own, place } = first.own.length > 0 ? first : (chain.find(({ own }) => own.length > 0) ?? first)
      const name = clean(throwable.class, secrets, 120)
      const { account, id = "", method = "", peer = "", route, span, trace, uri = "" } = context
      // In a dependency alone: all that takes too long, say, would be one group. What a client has typed tells nothing apart.
      const caller = own.length > 0 ? "" : (route ?? (method === "" ? uri : ""))
      return {
        timestamp: new Date(at).toISOString(),
        level: "error",
        channel,
        message: clean(throwable.message, secrets),
        class: name,
        file: place.file,
        line: place.line,
        method: clean(method, secrets, 32),
        uri: clean(uri.replace(/[?#].*$/s, ""), secrets, 2048),
        ...(route !== undefined && { route: clean(route, secrets, 1024) }),
        peer: clean(peer, secrets, 64),
        id: clean(id, secrets, 128),
        ...(trace !== undefined && { trace_id: clean(trace, secrets, 32) }),
        ...(span !== undefined && { span_id: clean(span, secrets, 16) }),
        ...(account !== undefined && { account: clean(account, secrets, 128) }),
        ...(throwable.statement !== undefined && {
          statement: clean(throwable.statement, secrets, longestStatement)
        }),
        ...(version !== undefined && { version }),
        fingerprint: fingerprint(name, relative(sources.root, place.file), `${place.function}${caller}`),
        frames: own.slice(0, maxFrames),
        previous: chain.map(({ link, place }): ExceptionCause => ({
          class: clean(link.class, secrets, 120),
          message: clean(link.message, secrets, 512),
          file: place.file,
          line: place.line
        })),
        ...(throwable.omitted > 0 && { omitted: throwable.omitted }),
        ...(!isMapped && { unmapped: true as const })
      }
    }
  }
}

const clean = (text: string, secrets: ReadonlyArray<string>, length = longest): string =>
  clip(Redaction.text(text.slice(0, 65536), secrets), length)

// Rarely any: a file or a function that repeats a value of the request.
const hide = (frame: ExceptionFrame, secrets: ReadonlyArray<string>): ExceptionFrame => {
  const { file, function: name, line } = frame
  if (!secrets.some((secret) => file.includes(secret) || name.includes(secret))) return frame
  return { function: clean(name, secrets), file: clean(file, secrets), line }
}

// FNV-1a, twice: enough to tell the errors of a program apart, and the same in each build.
const hash = (text: string, seed: number): string => {
  let value = seed
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, "0")
}

/** 16 hexadecimal digits. */
export const fingerprint = (name: string, file: string, call: string): string => {
  const text = `${name}\n${file}\n${call}`
  return hash(text, 0x811c9dc5) + hash(text, 0x050c5d1f)
}

// Two line separators that JSON does not escape but some line readers split at.
const separators = /[\u2028\u2029]/g

/** The line as text, with a newline. */
export const encode = (record: ExceptionRecord): string =>
  `${JSON.stringify(record).replace(separators, (char) => `\\u${char.charCodeAt(0).toString(16)}`)}\n`
