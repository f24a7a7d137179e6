// `npm run bench`: everything measured side by side in one run; name subjects to run only those.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import * as Load from "./Load.ts"
import type { Options } from "./Options.ts"
import { passes, type Row, table } from "./Row.ts"

type Measure = (options: Options) => Promise<ReadonlyArray<Row>>

const benches: Readonly<Record<string, () => Promise<{ readonly measure: Measure }>>> = {
  server: () => import("./server/Http.ts"),
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
  articles: () => import("./pagination/Articles.ts")
}

const usage = `Usage: npm run bench -- [--quick] [NAME...]

  NAME      ${Object.keys(benches).join(", ")}; all of them when none is named
  --quick   fewer rounds, ends in about two minutes; the figures are rough
  --help    print this`

const say = (line: string) => process.stderr.write(`${line}\n`)

const prepare = () => {
  if (existsSync("bench/node_modules")) return
  say("installing the peers that we compare with (once)")
  execFileSync("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund"], { stdio: "inherit" })
}

const main = async (argv: ReadonlyArray<string>): Promise<number> => {
  if (argv.includes("--help")) return process.stdout.write(`${usage}\n`) ? 0 : 0
  const names = argv.filter((word) => !word.startsWith("--"))
  const unknown = names.find((name) => benches[name] === undefined)
  if (unknown !== undefined || argv.some((word) => word.startsWith("--") && word !== "--quick")) {
    say(usage)
    return 2
  }
  prepare()
  const chosen = names.length === 0 ? Object.keys(benches) : names
  const results: Record<string, ReadonlyArray<Row>> = {}
  for (const [index, name] of chosen.entries()) {
    say(`[${index + 1}/${chosen.length}] ${name}`)
    const bench = await benches[name]?.()
    results[name] = (await bench?.measure({ quick: argv.includes("--quick") })) ?? []
  }
  const rows = Object.values(results).flat()
  process.stdout.write(`${table(rows)}\n`)
  const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model, load: Load.generator }
  mkdirSync("bench", { recursive: true })
  writeFileSync(join("bench", "results.json"), `${JSON.stringify({ machine, results }, undefined, 2)}\n`)
  return rows.every(passes) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
