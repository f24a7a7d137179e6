// Which traces are collected, as `OTEL_TRACES_SAMPLER` names it.
import { Config } from "effect"
import * as Setting from "../server/Setting.ts"

/** Whether the trace is sampled. `parent` is what another process has decided, `undefined` at the start of a trace. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean

const always: Sampler = () => true
const never: Sampler = () => false

// The last digits, which W3C Trace Context wants to be random: every process decides the same about a trace. As many as a
// number holds exactly.
const digits = 13
const limit = 2 ** 52

/** Compares the digits as text, which orders them as their values: to parse them takes longer than the rest of a span. */
const ratio = (share: number): Sampler => {
  const end = Math.ceil(share * limit)
  if (end >= limit) return always
  const text = end.toString(16).padStart(digits, "0")
  return (traceId) => traceId.slice(-digits) < text
}

const parentOr =
  (root: Sampler): Sampler =>
  (traceId, parent) =>
    parent ?? root(traceId, undefined)

const samplers = {
  always_on: () => always,
  always_off: () => never,
  traceidratio: ratio,
  parentbased_always_on: () => parentOr(always),
  parentbased_always_off: () => parentOr(never),
  parentbased_traceidratio: (share: number) => parentOr(ratio(share))
} satisfies Readonly<Record<string, (share: number) => Sampler>>

type Name = keyof typeof samplers

const names = Object.keys(samplers) as ReadonlyArray<Name>

/** The sampler of this name; `share` is the part of traces that a ratio keeps. */
export const make = (name: Name, share: number): Sampler => samplers[name](share)

const parseShare = (text: string): number | undefined => {
  const share = /^(?:\d+|\d*\.\d+)(?:e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return share >= 0 && share <= 1 ? share : undefined
}

/** From `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`; what the client has decided, else every trace. */
export const config: Config.Config<Sampler> = Config.map(
  Config.all({
    name: Setting.choice("OTEL_TRACES_SAMPLER", "parentbased_always_on", names),
    share: Setting.of("OTEL_TRACES_SAMPLER_ARG", 1, { expected: "a number between 0 and 1", parse: parseShare })
  }),
  ({ name, share }) => make(name, share)
)
