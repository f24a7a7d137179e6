// The Effect spans that were open where a failure was raised.
import { GlobalValue, Option, Predicate, type Tracer } from "effect"
import * as Preview from "./Preview.ts"
import * as Stack from "./Stack.ts"

/** One span: its name, its attributes, and where it was opened. */
export interface Span {
  readonly id: string
  readonly name: string
  readonly attributes: ReadonlyArray<readonly [name: string, value: unknown]>
  /** Where it was opened; without a file when the span does not know. */
  readonly frames: ReadonlyArray<Stack.Frame>
}

const deepest = 10
const symbol = Symbol.for("effect/SpanAnnotation")

// Where Effect keeps the place that opened a span; there is no public way to ask.
const traces = GlobalValue.globalValue("effect/Tracer/spanToTrace", () => new WeakMap<object, unknown>())

const isSpan = (value: unknown): value is Tracer.Span =>
  Predicate.isTagged(value, "Span") && Predicate.hasProperty(value, "attributes") && value.attributes instanceof Map

const framesOf = (span: Tracer.Span): ReadonlyArray<Stack.Frame> => {
  const ask = traces.get(span)
  const trace = Predicate.isFunction(ask) ? Preview.read(() => String(ask())) : undefined
  const places = Stack.parse(`\n${trace ?? ""}`, "", "").filter((frame) => frame.file !== "")
  if (places.length === 0) return [{ kind: "span", call: span.name, file: "", line: 0, column: 0 }]
  return places.map(({ column, file, line }) => ({ kind: "span", call: span.name, file, line, column }))
}

// On a failure Effect adds the place as an attribute; it is a frame already.
const attributesOf = (span: Tracer.Span): Span["attributes"] =>
  [...span.attributes].filter(([name]) => name !== "code.stacktrace").slice(0, 16)

/** The span that Effect noted on a failure, and those around it, nearest first. */
export const of = (failure: unknown): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let span: unknown = Preview.get(failure, symbol)
  while (isSpan(span) && spans.length < deepest) {
    spans.push({ id: span.spanId, name: span.name, attributes: attributesOf(span), frames: framesOf(span) })
    span = Option.getOrUndefined(span.parent)
  }
  return spans
}
