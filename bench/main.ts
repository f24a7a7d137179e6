// `npm run bench`: everything measured side by side in one run; name subjects to run only those.
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { cpus } from "node:os"
import * as Load from "./Load.ts"
import type { Options } from "./Options.ts"
import * as Report from "./Report.ts"
import * as Results from "./Results.ts"
import { passes, type Row, table } from "./Row.ts"

type Measure = (options: Options) => Promise<ReadonlyArray<Row>>

const benches: Readonly<Record<string, () => Promise<{ readonly measure: Measure }>>> = {
  server: () => import("./server/Http.ts"),
  api: () => import("./server/Api.ts"),
  session: () => import("./auth/Session.ts"),
  login: () => import("./auth/Login.ts"),
  tokens: () => import("./auth/Tokens.ts"),
  enumeration: () => import("./auth/Enumeration.ts"),
  instruments: () => import("./observability/Instruments.ts"),
  telemetry: () => import("./observability/Telemetry.ts"),
  debug: () => import("./errors/DebugPage.ts"),
  failing: () => import("./errors/FailingRoute.ts"),
  codec: () => import("./pagination/Codec.ts"),
  depth: () => import("./pagination/Depth.ts"),
  articles: () => import("./pagination/Articles.ts"),
  pagination: () => import("./pagination/Lists.ts")
}

const usage = `Usage: npm run bench -- [--quick] [NAME...]

  NAME      ${Object.keys(benches).join(", ")}; all of them when none is named
  --quick   fewer rounds, ends in about two minutes; the figures are rough and not kept
  --help    print this`

const say = (line: string) => process.stderr.write(`${line}\n`)

const prepare = () => {
  if (existsSync("bench/node_modules")) return
  say("installing the peers that we compare with (once)")
  execFileSync("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund"], { stdio: "inherit" })
}

const run = async (names: ReadonlyArray<string>, options: Options): Promise<ReadonlyArray<Row>> => {
  const all: Array<Row> = []
  for (const [index, name] of names.entries()) {
    const began = performance.now()
    process.stderr.write(`[${index + 1}/${names.length}] ${name} … `)
    const bench = await benches[name]?.()
    const rows = (await bench?.measure(options)) ?? []
    say(`${Math.round((performance.now() - began) / 1000)} s`)
    if (!options.quick) keep(name, rows)
    all.push(...rows)
  }
  return all
}

// At once, so that what was measured outlives a later subject that fails.
const keep = (name: string, rows: ReadonlyArray<Row>): void => {
  const [cpu] = cpus()
  const machine = { node: process.version, cores: cpus().length, model: cpu?.model ?? "unknown", load: Load.generator }
  const results = Results.merge(Results.read(), { machine, results: { [name]: rows } })
  Results.write(results)
  Report.write(results)
}

const main = async (argv: ReadonlyArray<string>): Promise<number> => {
  if (argv.includes("--help")) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  const names = argv.filter((word) => !word.startsWith("--"))
  const unknown = names.find((name) => benches[name] === undefined)
  if (unknown !== undefined || argv.some((word) => word.startsWith("--") && word !== "--quick")) {
    say(usage)
    return 2
  }
  prepare()
  const quick = argv.includes("--quick")
  const rows = await run(names.length === 0 ? Object.keys(benches) : names, { quick })
  process.stdout.write(`${table(rows)}\n`)
  if (!quick) say(`written to ${Results.path}, ${Report.pagePath}, ${Report.chartPath} and ${Report.readmePath}`)
  return rows.every(passes) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
