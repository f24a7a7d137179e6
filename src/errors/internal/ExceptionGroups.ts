// The exceptions of a log, grouped by their fingerprints.
import { Context, type Effect, Option, Predicate } from "effect"
import type { ExceptionRecord } from "../ExceptionRecords.ts"
import { fingerprint } from "./RecordLine.ts"

/** What is read of a line: those of an older version lack some fields. */
export type Sample = Pick<ExceptionRecord, "timestamp" | "class" | "message" | "fingerprint"> & Partial<ExceptionRecord>

/** The exceptions with one fingerprint. */
export interface Group {
  readonly fingerprint: string
  readonly count: number
  /** When the first and the last of them happened. */
  readonly first: string
  readonly last: string
  /** The last versions in which they happened, the newest first. */
  readonly versions: ReadonlyArray<string>
  /** The routes, as `GET /orders/:id`, the last first. */
  readonly routes: ReadonlyArray<string>
  /** The last of them. */
  readonly sample: Sample
}

const most = 8

const isText = (value: unknown, name: string): boolean =>
  Predicate.hasProperty(value, name) && typeof value[name] === "string"

// A boundary: the line was written by `RecordLine.encode`, or by an older version of it.
const isSample = (value: unknown): value is Sample =>
  ["timestamp", "class", "message"].every((name) => isText(value, name))

/** The record of a line; `None` for a line that was cut off or is something else. */
export const parse = (line: string): Option.Option<Sample> => {
  try {
    const value: unknown = JSON.parse(line)
    if (!isSample(value)) return Option.none()
    const known = isText(value, "fingerprint") ? value.fingerprint : fingerprint(value.class, value.file ?? "", "")
    return Option.some({ ...value, fingerprint: known })
  } catch {
    return Option.none()
  }
}

const routeOf = ({ method = "", uri = "" }: Sample): string => `${method} ${uri}`.trim()

const withFirst = (list: ReadonlyArray<string>, text: string | undefined): ReadonlyArray<string> =>
  text === undefined || text === "" || list[0] === text
    ? list
    : [text, ...list.filter((other) => other !== text)].slice(0, most)

/** The groups with one exception more. */
export const add = (groups: Map<string, Group>, sample: Sample): void => {
  const known = groups.get(sample.fingerprint)
  const { timestamp } = sample
  groups.set(sample.fingerprint, {
    fingerprint: sample.fingerprint,
    count: (known?.count ?? 0) + 1,
    first: known === undefined || timestamp < known.first ? timestamp : known.first,
    last: known === undefined || timestamp > known.last ? timestamp : known.last,
    versions: withFirst(known?.versions ?? [], sample.version),
    routes: withFirst(known?.routes ?? [], routeOf(sample)),
    sample: known === undefined || timestamp >= known.last ? sample : known.sample
  })
}

/** The groups, the one that happened last first. */
export const sorted = (groups: ReadonlyMap<string, Group>): ReadonlyArray<Group> =>
  Array.from(groups.values()).sort((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0))

/** Reads the log of exceptions for the pages of `development`; `undefined` where nothing provides it. */
export class ExceptionLog extends Context.Reference<ExceptionLog>()("effect-framework/errors/ExceptionLog", {
  defaultValue: (): { readonly groups: Effect.Effect<ReadonlyArray<Group>> } | undefined => undefined
}) {}
