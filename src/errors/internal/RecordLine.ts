// The record of a throwable, and its line of JSON.
import * as Redaction from "../Redaction.ts"
import { longestStatement } from "./ErrorBody.ts"
import * as Fingerprint from "../../http/internal/text/Fingerprint.ts"
import { clip } from "../../http/internal/text/SafeText.ts"
import type { ExceptionCause, ExceptionFrame, ExceptionRecord } from "../ExceptionRecords.ts"
import type { ReportContext } from "../Reporters.ts"
import { located, relative } from "./debug/SourceExcerpt.ts"
import type { Sources } from "../Sources.ts"
import * as Stack from "./Stack.ts"
import type { Throwable } from "../Throwable.ts"

/** The log channel. */
const channel = "exceptions"

const longest = 4096
const maxFrames = 16

/** Makes the records of throwables. */
interface Maker {
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
  /** The fingerprints of what was thrown there, by class and caller. */
  readonly fingerprints: Map<string, string>
}

// The classes and callers of one place are few.
const mostFingerprints = 64

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
    const place = own[0] ?? all.find(({ shown }) => shown.file !== "")?.shown ?? none
    return { own: own.slice(0, maxFrames), place, fingerprints: new Map() }
  }

  const placesOf = ({ frames }: Throwable, secrets: ReadonlyArray<string>): Places => {
    let found = known.get(frames)
    if (found === undefined) known.set(frames, (found = lookUp(frames)))
    const { own, place } = found
    if (secrets.length === 0 || ![place, ...own].some((frame) => repeats(frame, secrets))) return found
    return { own: own.map((frame) => hide(frame, secrets)), place: hide(place, secrets), fingerprints: new Map() }
  }

  const fingerprintOf = ({ fingerprints, place }: Places, name: string, caller: string): string => {
    const key = `${name}\n${caller}`
    const found = fingerprints.get(key)
    if (found !== undefined) return found
    const made = fingerprint(name, relative(sources.root, place.file), `${place.function}${caller}`)
    if (fingerprints.size < mostFingerprints) fingerprints.set(key, made)
    return made
  }

  return {
    forget: () => void (known = new WeakMap()),
    make: (throwable, context, at, secrets = [], isMapped = true) => {
      const chain = throwable.chain.map((link) => ({ link, places: placesOf(link, secrets) }))
      const first = placesOf(throwable, secrets)
      // What failed in a dependency was called for a reason: the nearest cause in the project says where.
      const places = first.own.length > 0 ? first : (chain.find(({ places }) => places.own.length > 0)?.places ?? first)
      const { own, place } = places
      const name = clean(throwable.class, secrets, 120)
      const { account, id = "", method = "", peer = "", route, span, trace, uri = "" } = context
      // In a dependency alone: all that takes too long, say, would be one group. What a client has typed tells nothing apart.
      const caller = own.length > 0 ? "" : (route ?? (method === "" ? uri : ""))
      const { omitted, statement } = throwable
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
        ...(statement !== undefined && { statement: clean(statement, secrets, longestStatement) }),
        ...(version !== undefined && { version }),
        fingerprint: fingerprintOf(places, name, caller),
        frames: own,
        previous: chain.map(({ link, places: { place } }): ExceptionCause => ({
          class: clean(link.class, secrets, 120),
          message: clean(link.message, secrets, 512),
          file: place.file,
          line: place.line
        })),
        ...(omitted > 0 && { omitted }),
        ...(!isMapped && { unmapped: true as const })
      }
    }
  }
}

const clean = (text: string, secrets: ReadonlyArray<string>, length = longest): string =>
  clip(Redaction.text(text.slice(0, 65536), secrets), length)

// Rarely any: a file or a function that repeats a value of the request.
const repeats = ({ file, function: name }: ExceptionFrame, secrets: ReadonlyArray<string>): boolean =>
  secrets.some((secret) => file.includes(secret) || name.includes(secret))

const hide = (frame: ExceptionFrame, secrets: ReadonlyArray<string>): ExceptionFrame => {
  if (!repeats(frame, secrets)) return frame
  const { file, function: name, line } = frame
  return { function: clean(name, secrets), file: clean(file, secrets), line }
}

/** The same for the exceptions of a class in a function of a file. */
export const fingerprint = (name: string, file: string, call: string): string =>
  Fingerprint.of(`${name}\n${file}\n${call}`)

// Two line separators that JSON does not escape but some line readers split at.
const separators = /[\u2028\u2029]/g

/** The line as text, with a newline. */
export const encode = (record: ExceptionRecord): string =>
  `${JSON.stringify(record).replace(separators, (char) => `\\u${char.charCodeAt(0).toString(16)}`)}\n`
