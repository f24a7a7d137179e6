// A strict reader of the Prometheus text exposition 0.0.4, written from the format's description and nothing of ours.
// It refuses whatever a lenient reader forgives: groups that are torn apart, series that stand twice, broken buckets.

export interface Family {
  readonly type: string
  readonly help: string
  /** Value by canonical labels; for histograms by sample name and labels. */
  readonly samples: Map<string, number>
}

const fail = (line: string, why: string): never => {
  throw new Error(`${why}: ${JSON.stringify(line)}`)
}

const unescape = (text: string, known: Readonly<Record<string, string>>, line: string): string =>
  text.replaceAll(/\\(.?)/gs, (_, char: string) => known[char] ?? fail(line, "unknown escape"))

const helpEscapes = { "\\": "\\", n: "\n" }
export const labelEscapes = { ...helpEscapes, '"': '"' }

/** `a="b",c="d"` as pairs; reads on to the end of the text. */
export const readLabels = (text: string, line: string): ReadonlyArray<readonly [string, string]> => {
  const pairs: Array<readonly [string, string]> = []
  let rest = text
  while (rest !== "") {
    const match = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\.)*)"(,(?=.)|$)/su.exec(rest)
    if (match === null) return fail(line, "labels cannot be read")
    const [all, name = "", value = ""] = match
    if (pairs.some(([other]) => other === name)) fail(line, "a label stands twice")
    pairs.push([name, unescape(value, labelEscapes, line)])
    rest = rest.slice(all.length)
  }
  return pairs
}

export const canonical = (pairs: ReadonlyArray<readonly [string, string]>): string =>
  JSON.stringify([...pairs].sort(([a], [b]) => (a < b ? -1 : 1)))

export const readNumber = (text: string, line: string): number => {
  if (text === "NaN") return Number.NaN
  if (text === "+Inf") return Infinity
  if (text === "-Inf") return -Infinity
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : fail(line, "not a number")
}

const suffixes: Readonly<Record<string, ReadonlyArray<string>>> = {
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"]
}

export const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\\n]|\\.)*")+)\})? (\S+)$/su

export const parse = (text: string): Map<string, Family> => {
  const families = new Map<string, Family>()
  if (text === "") return families
  if (!text.endsWith("\n")) fail(text.slice(-20), "the last line has no end")
  let current: { name: string; help: string; type: string | undefined; buckets: Buckets } | undefined
  const close = () => {
    if (current !== undefined) current.buckets.check()
  }
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/s.exec(line)
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)
    if (help !== null) {
      close()
      const [, name = "", words = ""] = help
      if (families.has(name)) fail(line, "a group is torn apart")
      current = { name, help: unescape(words, helpEscapes, line), type: undefined, buckets: new Buckets() }
    } else if (type !== null) {
      if (current === undefined || current.name !== type[1] || current.type !== undefined)
        return fail(line, "a stray TYPE")
      current.type = type[2] ?? ""
      families.set(current.name, { type: current.type, help: current.help, samples: new Map() })
    } else {
      const [, sample = "", labels = "", value = ""] = sampleLine.exec(line) ?? fail(line, "not a sample")
      const family = families.get(current?.name ?? "")
      if (current?.type === undefined || family === undefined) return fail(line, "a sample without TYPE")
      const part = sample.slice(current.name.length)
      const parts = suffixes[family.type] ?? [""]
      if (!sample.startsWith(current.name) || !parts.includes(part)) fail(line, "a sample of another group")
      const pairs = readLabels(labels, line)
      const number = readNumber(value, line)
      if (family.type === "histogram") current.buckets.add(part, pairs, number, line)
      const key = part + canonical(pairs)
      if (family.samples.has(key)) fail(line, "a series stands twice")
      family.samples.set(key, number)
    }
  }
  close()
  const printed = [...families].flatMap(([name, { type }]) => (suffixes[type] ?? [""]).map((suffix) => name + suffix))
  if (new Set(printed).size !== printed.length) fail(printed.join(), "two groups print one name")
  return families
}

/** The rules of a histogram: bounds rise, counts never fall, `+Inf` comes last and is the count. */
class Buckets {
  private readonly series = new Map<
    string,
    { bounds: Array<number>; counts: Array<number>; sum: boolean; count?: number }
  >()

  add(part: string, pairs: ReadonlyArray<readonly [string, string]>, value: number, line: string): void {
    const own = canonical(pairs.filter(([name]) => name !== "le"))
    const entry = this.series.get(own) ?? { bounds: [], counts: [], sum: false }
    this.series.set(own, entry)
    const bound = pairs.find(([name]) => name === "le")?.[1]
    if ((part === "_bucket") !== (bound !== undefined)) fail(line, "le belongs on buckets only")
    if (part === "_sum") entry.sum = true
    if (part === "_count") entry.count = value
    if (bound === undefined) return
    if (entry.sum || entry.count !== undefined) fail(line, "a bucket after the sum")
    const limit = readNumber(bound, line)
    if (limit <= (entry.bounds.at(-1) ?? -Infinity)) fail(line, "bounds do not rise")
    if (value < (entry.counts.at(-1) ?? 0)) fail(line, "buckets are not cumulative")
    entry.bounds.push(limit)
    entry.counts.push(value)
  }

  check(): void {
    for (const [labels, { bounds, count, counts, sum }] of this.series) {
      if (bounds.at(-1) !== Infinity) fail(labels, "no +Inf bucket")
      if (count !== counts.at(-1)) fail(labels, "the count is not the +Inf bucket")
      if (!sum) fail(labels, "no sum")
    }
  }
}
