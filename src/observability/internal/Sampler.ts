// Which traces are collected, as `OTEL_TRACES_SAMPLER` names it.
import { Config } from "effect"
import * as Setting from "../../config/internal/Setting.ts"

/**
 * Whether the trace with this `randomness` is sampled. `parent` is what another process has decided, `undefined` at the start
 * of a trace.
 */
export type Sampler = (randomness: number, parent: boolean | undefined) => boolean

const always: Sampler = () => true
const never: Sampler = () => false

// As many as a number holds exactly.
const digits = 13
const limit = 2 ** 52

/**
 * What the last 13 digits of a trace id are worth. W3C Trace Context wants them to be random: every process decides the same
 * about a trace.
 */
export const randomness = (traceId: string): number => Number.parseInt(traceId.slice(-digits), 16)

const ratio = (share: number): Sampler => {
  const end = Math.ceil(share * limit)
  return end >= limit ? always : (value) => value < end
}

const parentOr =
  (root: Sampler): Sampler =>
  (value, parent) =>
    parent ?? root(value, undefined)

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
