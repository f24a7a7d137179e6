// A strict reader of OTLP/HTTP traces and logs requests in JSON, from the protocol's description and nothing of ours.
import { fail, list, object, text } from "./StrictJson.ts"

export type Attributes = Readonly<Record<string, unknown>>

export interface Span {
  readonly resource: Attributes
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly traceState: string | undefined
  readonly name: string
  readonly kind: number
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Attributes
  readonly events: ReadonlyArray<{ readonly name: string; readonly attributes: Attributes }>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly status: number
}

export interface Log {
  readonly resource: Attributes
  readonly time: bigint
  readonly severity: string
  readonly body: unknown
  readonly attributes: Attributes
  readonly traceId: string | undefined
  readonly spanId: string | undefined
}

const whole = (value: unknown): number => (Number.isInteger(value) ? Number(value) : fail("not a number", value))

const nanoseconds = (value: unknown): bigint =>
  typeof value === "string" && /^[1-9]\d*$/.test(value) ? BigInt(value) : fail("not a time", value)

const id = (length: number) => (value: unknown) => {
  const found = text(value)
  return new RegExp(`^[0-9a-f]{${length}}$`).test(found) && !/^0+$/.test(found) ? found : fail("not an id", value)
}

const traceId = id(32)
const spanId = id(16)

const optional = <A>(value: unknown, read: (value: unknown) => A): A | undefined =>
  value === undefined ? undefined : read(value)

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  stringValue: text,
  boolValue: (value) => (typeof value === "boolean" ? value : fail("not a boolean", value)),
  intValue: (value) => (/^-?\d{1,19}$/.test(text(value)) ? Number(value) : fail("not a 64-bit text", value)),
  doubleValue: (value) => (typeof value === "number" ? value : Number(text(value))),
  arrayValue: (value) => list(object(value, "values").values).map(any)
}

const any = (value: unknown): unknown => {
  const entries = Object.entries(object(value, ...Object.keys(readers).map((name) => `${name}?`)))
  const [name = "", found] = entries.length === 1 ? (entries[0] ?? []) : fail("exactly one kind of value", value)
  return readers[name]?.(found)
}

const attributes = (value: unknown): Attributes => {
  const pairs = list(value).map((item) => {
    const pair = object(item, "key", "value")
    return [text(pair.key) || fail("an empty key", item), any(pair.value)] as const
  })
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) fail("an attribute stands twice", value)
  return Object.fromEntries(pairs)
}

const dropped = "droppedAttributesCount?"

const span =
  (resource: Attributes) =>
  (item: unknown): Span => {
    const required = ["traceId", "spanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano"]
    const rest = ["attributes", dropped, "events", "links", "status", "parentSpanId?", "traceState?"]
    const found = object(item, ...required, ...rest)
    const status = object(found.status, "code?", "message?")
    const start = nanoseconds(found.startTimeUnixNano)
    const end = nanoseconds(found.endTimeUnixNano)
    if (end < start) fail("ends before it began", item)
    const kind = whole(found.kind)
    if (kind < 1 || kind > 5) fail("not a kind", item)
    return {
      resource,
      traceId: traceId(found.traceId),
      spanId: spanId(found.spanId),
      parentSpanId: optional(found.parentSpanId, spanId),
      traceState: optional(found.traceState, text),
      name: text(found.name) || fail("no name", item),
      kind,
      start,
      end,
      attributes: attributes(found.attributes),
      events: list(found.events).map((one) => {
        const event = object(one, "timeUnixNano", "name", "attributes", dropped)
        nanoseconds(event.timeUnixNano)
        return { name: text(event.name), attributes: attributes(event.attributes) }
      }),
      links: list(found.links).map((one) => {
        const link = object(one, "traceId", "spanId", "attributes", dropped)
        attributes(link.attributes)
        return { traceId: traceId(link.traceId), spanId: spanId(link.spanId) }
      }),
      status: optional(status.code, whole) ?? 0
    }
  }

const log =
  (resource: Attributes) =>
  (item: unknown): Log => {
    const required = ["timeUnixNano", "observedTimeUnixNano", "severityNumber", "severityText", "body", "attributes"]
    const found = object(item, ...required, dropped, "traceId?", "spanId?")
    const severity = whole(found.severityNumber)
    if (severity < 1 || severity > 24) fail("not a severity", item)
    nanoseconds(found.observedTimeUnixNano)
    return {
      resource,
      time: nanoseconds(found.timeUnixNano),
      severity: text(found.severityText),
      body: any(found.body),
      attributes: attributes(found.attributes),
      traceId: optional(found.traceId, traceId),
      spanId: optional(found.spanId, spanId)
    }
  }

const records = <A>(
  body: string,
  names: readonly [root: string, scopes: string, records: string],
  read: (resource: Attributes) => (item: unknown) => A
): ReadonlyArray<A> =>
  list(object(JSON.parse(body), names[0])[names[0]]).flatMap((item) => {
    const part = object(item, "resource", names[1])
    const resource = attributes(object(part.resource, "attributes").attributes)
    if (resource["service.name"] === undefined) fail("the service has a name", item)
    return list(part[names[1]]).flatMap((given) => {
      const scoped = object(given, "scope", names[2])
      const scope = object(scoped.scope, "name", "version?")
      if (text(scope.name) === "") fail("the scope has a name", given)
      return list(scoped[names[2]]).map(read(resource))
    })
  })

export const spans = (body: string): ReadonlyArray<Span> =>
  records(body, ["resourceSpans", "scopeSpans", "spans"], span)

export const logs = (body: string): ReadonlyArray<Log> =>
  records(body, ["resourceLogs", "scopeLogs", "logRecords"], log)
