// The Effect spans that were open where a failure was raised.
import { Cause, type Exit, GlobalValue, Option, Predicate, type Tracer } from "effect"
import * as Preview from "./Preview.ts"
import * as Stack from "./Stack.ts"

/** One span: its name, its attributes, and where it was opened. */
export interface Span {
  readonly id: string
  readonly name: string
  readonly attributes: ReadonlyArray<readonly [name: string, value: unknown]>
  /** Where it was opened; without a file when the location is unknown. */
  readonly frames: ReadonlyArray<Stack.Frame>
}

const deepest = 10
const symbol = Symbol.for("effect/SpanAnnotation")

// Where Effect keeps the location of a span; there is no public API for it.
const traces = GlobalValue.globalValue("effect/Tracer/spanToTrace", () => new WeakMap<object, unknown>())

const isSpan = (value: unknown): value is Tracer.Span =>
  Predicate.isTagged(value, "Span") && Predicate.hasProperty(value, "attributes") && value.attributes instanceof Map

const framesOf = (span: Tracer.Span): ReadonlyArray<Stack.Frame> => {
  const location = traces.get(span)
  const trace = Predicate.isFunction(location) ? Preview.read(() => String(location())) : undefined
  const places = Stack.parse(`\n${trace ?? ""}`, "", "").filter((frame) => frame.file !== "")
  if (places.length === 0) return [{ kind: "span", call: span.name, file: "", line: 0, column: 0 }]
  return places.map(({ column, file, line }) => ({ kind: "span", call: span.name, file, line, column }))
}

// Effect adds the location of a failure as an attribute; it is already shown as a frame.
const attributesOf = (span: Tracer.Span): Span["attributes"] =>
  [...span.attributes].filter(([name]) => name !== "code.stacktrace").slice(0, 16)

// Of defects that Effect records no span on, those of `dieMessage`.
const ended = new WeakMap<object, Tracer.Span>()

const isAround = (outer: Tracer.Span, inner: Tracer.AnySpan | undefined): boolean => {
  let span = inner
  while (span?._tag === "Span" && span !== outer) span = Option.getOrUndefined(span.parent)
  return span === outer
}

/** Remembers the innermost span that a defect has ended: for tracers that know of the end of a span. */
export const note = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>): void => {
  if (exit._tag === "Success") return
  for (const defect of Cause.defects(exit.cause)) {
    // The same value may fail again elsewhere.
    if (Predicate.isObject(defect) && !isAround(span, ended.get(defect))) ended.set(defect, span)
  }
}

/** The span that Effect recorded on a failure, or that the failure has ended, and its parents, innermost first. */
export const of = (failure: unknown): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let span: unknown = Preview.get(failure, symbol) ?? (Predicate.isObject(failure) ? ended.get(failure) : undefined)
  while (isSpan(span) && spans.length < deepest) {
    // The span of the request says what the page says of the request.
    if (span.kind !== "server") {
      spans.push({ id: span.spanId, name: span.name, attributes: attributesOf(span), frames: framesOf(span) })
    }
    span = Option.getOrUndefined(span.parent)
  }
  return spans
}
