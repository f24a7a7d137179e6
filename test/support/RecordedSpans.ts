// A program's own tracer: it keeps every span in memory, ended or not.
import { Context, Effect, type Exit, Layer, type Option, Tracer } from "effect"

export interface RecordedSpan extends Tracer.Span {
  readonly attributes: Map<string, unknown>
  readonly links: Array<Tracer.SpanLink>
}

export class RecordedSpans extends Context.Tag("test/RecordedSpans")<RecordedSpans, Array<RecordedSpan>>() {}

const hex = (length: number): string =>
  Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join("")

/** A tracer that keeps its spans in this list. */
export const make = (spans: Array<RecordedSpan>): Tracer.Tracer =>
  Tracer.make({
    context: (f) => f(),
    span: (name, parent, context, links, startTime, kind) => {
      const span = {
        _tag: "Span" as const,
        name,
        spanId: hex(16),
        traceId: parent._tag === "Some" ? parent.value.traceId : hex(32),
        parent,
        context,
        status: { _tag: "Started", startTime } as Tracer.SpanStatus,
        attributes: new Map<string, unknown>(),
        links: Array.from(links),
        sampled: true,
        kind,
        end(endTime: bigint, exit: Exit.Exit<unknown, unknown>) {
          span.status = { _tag: "Ended", startTime, endTime, exit }
        },
        attribute(key: string, value: unknown) {
          span.attributes.set(key, value)
        },
        event() {},
        addLinks(added: ReadonlyArray<Tracer.SpanLink>) {
          span.links.push(...added)
        }
      }
      spans.push(span)
      return span
    }
  })

/** The tracer, and the spans that it was asked for. */
export const layer: Layer.Layer<RecordedSpans> = Layer.unwrapEffect(
  Effect.sync(() => {
    const spans: Array<RecordedSpan> = []
    return Layer.merge(Layer.succeed(RecordedSpans, spans), Layer.setTracer(make(spans)))
  })
)

export const isEnded = ({ status }: RecordedSpan): boolean => status._tag === "Ended"

export const exitOf = ({ status }: RecordedSpan): Exit.Exit<unknown, unknown> | undefined =>
  status._tag === "Ended" ? status.exit : undefined

export const parentOf = ({ parent }: { readonly parent: Option.Option<Tracer.AnySpan> }): string | undefined =>
  parent._tag === "Some" ? parent.value.spanId : undefined
