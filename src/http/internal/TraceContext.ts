// The trace that a request belongs to, in the format of W3C Trace Context.
import { Context, Option, Tracer } from "effect"

/** The place of one span in a trace. */
interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly sampled: boolean
  /** `tracestate` as it was received; empty when there was none, or a malformed one. */
  readonly state: string
}

/** The `tracestate` of a span from another process, in the context of the span. */
export class TraceState extends Context.Reference<TraceState>()("effect-framework/http/TraceState", {
  defaultValue: () => ""
}) {}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const onlyZeros = /^0+$/

const key = /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/
// Visible ASCII and blanks, without a comma or an equals sign, and not a blank at the end.
const value = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const maxMembers = 32
// As long as its members may be: a longer text is not split.
const maxState = maxMembers * 515

const isState = (text: string): boolean => {
  if (text.length > maxState) return false
  const members = text.split(",", maxMembers + 1).map((member) => member.trim())
  const stated = members.filter((member) => member !== "")
  const keys = stated.map((member) => member.slice(0, Math.max(0, member.indexOf("="))))
  if (members.length > maxMembers || new Set(keys).size !== keys.length) return false
  return stated.every((member, index) => {
    const name = keys[index] ?? ""
    return key.test(name) && value.test(member.slice(name.length + 1))
  })
}

type Header = string | ReadonlyArray<string> | undefined

/** The parts of `traceparent` and `tracestate`; `undefined` when `traceparent` is missing or malformed. */
export const parse = (traceparent: Header, tracestate?: Header): TraceContext | undefined => {
  if (typeof traceparent !== "string") return undefined
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = pattern.exec(traceparent) ?? []
  // Later versions may add parts at the end; the first one has four.
  if (version === "" || version === "ff" || (version === "00" && rest !== undefined)) return undefined
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return undefined
  const state = typeof tracestate === "string" ? tracestate : (tracestate ?? []).join(",")
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, state: isState(state) ? state : "" }
}

// `key=value`, then properties; the value is percent-encoded.
const member =
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=[ \t]*[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*(?:;[\x20-\x2b\x2d-\x7e\t]*)?$/
const maxBaggage = 8192
const maxEntries = 64

/** `baggage` as it may be passed on: as it was received, or empty when it is malformed or too long. */
export const parseBaggage = (header: Header): string => {
  const text = typeof header === "string" ? header : (header ?? []).join(",")
  if (text === "" || text.length > maxBaggage) return ""
  const entries = text.split(",", maxEntries + 1).map((entry) => entry.trim())
  return entries.length <= maxEntries && entries.every((entry) => member.test(entry)) ? text : ""
}

/** => 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 */
export const traceparent = ({ sampled, spanId, traceId }: Pick<Tracer.AnySpan, "traceId" | "spanId" | "sampled">) =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** The span of another process, as a parent or a link. */
export const toSpan = ({ sampled, spanId, state, traceId }: TraceContext): Tracer.ExternalSpan =>
  Tracer.externalSpan({ traceId, spanId, sampled, context: Context.make(TraceState, state) })

/** `tracestate` of the trace that this span belongs to: that of the nearest span from another process. */
export const stateOf = (span: Tracer.AnySpan | undefined): string => {
  let at = span
  while (at?._tag === "Span") at = Option.getOrUndefined(at.parent)
  return at === undefined ? "" : Context.get(at.context, TraceState)
}
