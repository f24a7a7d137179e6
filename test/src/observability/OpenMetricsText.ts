// A strict reader of OpenMetrics 1.0 text: the end mark, family names, canonical bounds, what may not be shown.
import { canonical, labelEscapes, readLabels, readNumber, sampleLine } from "./Exposition.ts"

export interface Family {
  readonly type: string
  readonly help: string
  readonly samples: Map<string, number>
}

const suffixes: Readonly<Record<string, ReadonlyArray<string>>> = {
  counter: ["_total"],
  gauge: [""],
  unknown: [""],
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"]
}

const exemplarText = /^\{trace_id="[0-9a-f]{32}"\} \d+(\.\d+)?(e-\d+)? \d+(\.\d+)?$/

const fail = (line: string, why: string): never => {
  throw new Error(`${why}: ${JSON.stringify(line)}`)
}

export const parse = (text: string): Map<string, Family> => {
  if (!text.endsWith("# EOF\n") || text.indexOf("\n# EOF\n") !== text.lastIndexOf("\n# EOF\n")) {
    fail(text.slice(-20), "one end mark, at the end")
  }
  const families = new Map<string, Family>()
  let current: { readonly name: string; readonly family: Family } | undefined
  let help: { readonly name: string; readonly words: string } | undefined
  const lines = text.slice(0, -"# EOF\n".length).split("\n")
  if (lines.pop() !== "") fail(text, "a line without end")
  for (const line of lines) {
    const helped = /^# HELP (\S+) (.+)$/s.exec(line)
    const typed = /^# TYPE (\S+) (counter|gauge|histogram|summary|unknown)$/.exec(line)
    if (helped !== null) {
      const words = (helped[2] ?? "").replaceAll(
        /\\(.?)/gs,
        (_, char: "n") => labelEscapes[char] ?? fail(line, "escape")
      )
      help = { name: helped[1] ?? "", words }
    } else if (typed !== null) {
      const [, name = "", type = ""] = typed
      if (families.has(name) || help?.name !== name) fail(line, "a family stands twice or has lost its help")
      current = { name, family: { type, help: help?.words ?? "", samples: new Map() } }
      families.set(name, current.family)
    } else {
      const [, bare = line, exemplar] = /^(.*\S) # (\{.*)$/s.exec(line) ?? []
      const [, sample = "", labels = "", value = ""] = sampleLine.exec(bare) ?? fail(line, "not a sample")
      if (exemplar !== undefined && !(sample.endsWith("_bucket") && exemplarText.test(exemplar))) {
        fail(line, "an exemplar that cannot be")
      }
      if (current === undefined) return fail(line, "a sample without family")
      const { name, family } = current
      const part = sample.slice(name.length)
      if (!sample.startsWith(name) || suffixes[family.type]?.includes(part) !== true)
        fail(line, "a sample of another family")
      const pairs = readLabels(labels, line)
      const number = readNumber(value, line)
      if (family.type === "counter" && !(number >= 0)) fail(line, "a counter that cannot be")
      const bound = pairs.find(([label]) => label === "le")?.[1]
      if (bound !== undefined && part === "_bucket" && !/^(\+Inf|-?(\d+\.\d+|\d+(\.\d+)?e[+-]\d\d+))$/.test(bound)) {
        fail(line, "a bound that is not canonical")
      }
      if (part === "_sum" && !(number >= 0)) fail(line, "a sum that can fall")
      const key = part + canonical(pairs)
      if (family.samples.has(key)) fail(line, "a series stands twice")
      family.samples.set(key, number)
    }
  }
  for (const { samples, type } of families.values()) if (type === "histogram") noFallingSum(samples)
  noClash(families)
  return families
}

// Beside a bound below zero a sum could fall.
const noFallingSum = (samples: ReadonlyMap<string, number>): void => {
  for (const key of samples.keys()) {
    const own = key
      .replace(/^_bucket/, "")
      .replace(/\["le","-[^"]*"\],?/, "")
      .replace(",]", "]")
    if (/^_bucket.*\["le","-/.test(key) && (samples.has(`_sum${own}`) || samples.has(`_count${own}`))) {
      fail(key, "a sum beside bounds below zero")
    }
  }
}

// No name that a family prints, or might print, may be a name of another.
const noClash = (families: ReadonlyMap<string, Family>): void => {
  const owners = new Map<string, string>()
  for (const [name, { type }] of families) {
    const extra = type === "counter" || type === "histogram" ? ["_created"] : []
    for (const part of new Set(["", ...(suffixes[type] ?? []), ...extra])) {
      const owner = owners.get(name + part)
      if (owner !== undefined) fail(name + part, `both ${owner} and ${name} may print it`)
      owners.set(name + part, name)
    }
  }
}
