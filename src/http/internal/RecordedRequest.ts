// One request of the development recorder as plain data: its spans, its statements and its log lines, already masked.

/** How a request ended: without a status there was no response, and a failed one broke off after its head. */
export interface End {
  readonly status: number | undefined
  readonly failed: boolean
}

/** One span. Times are milliseconds since the request began. */
export interface RecordedSpan {
  readonly id: string
  /** Of another span of the same request; `undefined` for the span of the request itself. */
  readonly parent: string | undefined
  readonly name: string
  readonly start: number
  /** Until now while the span is open. */
  readonly duration: number
  readonly outcome: "open" | "ended" | "failed"
  readonly attributes: ReadonlyArray<readonly [name: string, value: string]>
  /** The SQL of a database span, without its values. */
  readonly statement: string | undefined
}

/** One log line. */
export interface RecordedLine {
  /** Milliseconds since the request began. */
  readonly at: number
  readonly level: string
  readonly text: string
}

/** What a request did so far. */
export interface RecordedRequest {
  readonly id: string
  /** The process that has handled it. */
  readonly pid: number
  readonly method: string
  /** Without the query, and the pattern where the route has parameters. */
  readonly uri: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** `undefined` while it runs, and when the client disconnected before the response. */
  readonly status: number | undefined
  readonly state: "running" | "ended" | "failed" | "aborted"
  /** In milliseconds; until now while it runs. */
  readonly duration: number
  /** In the order in which they began. */
  readonly spans: ReadonlyArray<RecordedSpan>
  readonly lines: ReadonlyArray<RecordedLine>
  /** How many were left out to keep the record small. */
  readonly omitted: { readonly spans: number; readonly lines: number }
}

/** A statement and how often it ran. */
interface StatementGroup {
  readonly statement: string
  readonly count: number
  /** Milliseconds of all runs together. */
  readonly duration: number
  /** Whether a loop probably ran it once for each row of another query: "n+1". */
  readonly isRepeated: boolean
}

/** From how many runs in one request on a statement is taken for a loop over rows. */
export const repeatedFrom = 5

const byDuration = (a: StatementGroup, b: StatementGroup): number => b.duration - a.duration

/** The statements of a request, equal ones together, the slowest first. */
export const statements = ({ spans }: Pick<RecordedRequest, "spans">): ReadonlyArray<StatementGroup> => {
  const groups = new Map<string, { count: number; duration: number }>()
  for (const { duration, statement } of spans) {
    if (statement === undefined) continue
    const group = groups.get(statement) ?? { count: 0, duration: 0 }
    group.count += 1
    group.duration += duration
    groups.set(statement, group)
  }
  return Array.from(groups, ([statement, { count, duration }]) => ({
    statement,
    count,
    duration,
    isRepeated: count >= repeatedFrom
  })).sort(byDuration)
}

/** The number of statements, and their milliseconds together. */
export const statementTotals = (groups: ReadonlyArray<StatementGroup>) => ({
  count: groups.reduce((sum, group) => sum + group.count, 0),
  duration: groups.reduce((sum, group) => sum + group.duration, 0)
})

/** A row of the timeline: a span below its parent. */
export interface TimelineRow {
  readonly span: RecordedSpan
  /** 0 for the span of the request. */
  readonly depth: number
}

/** The spans as a tree, each parent before its children. A span whose parent was left out is at the top. */
export const timeline = (spans: ReadonlyArray<RecordedSpan>): ReadonlyArray<TimelineRow> => {
  const known = new Set(spans.map(({ id }) => id))
  const children = new Map<string, Array<RecordedSpan>>()
  const open: Array<TimelineRow> = []
  for (const span of spans) {
    if (span.parent === undefined || span.parent === span.id || !known.has(span.parent)) open.push({ span, depth: 0 })
    else children.set(span.parent, [...(children.get(span.parent) ?? []), span])
  }
  const rows: Array<TimelineRow> = []
  open.reverse()
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    rows.push(row)
    const { depth, span } = row
    for (const child of (children.get(span.id) ?? []).reverse()) open.push({ span: child, depth: depth + 1 })
    children.delete(span.id)
  }
  return rows
}
