// `npm run bench`: everything measured side by side in one run; name subjects to run only those.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { cpus } from "node:os"
import * as Load from "./Load.ts"
import { full, type Options, quick } from "./Options.ts"
import * as Percentiles from "./Percentiles.ts"
import * as Profile from "./profile/Profile.ts"
import * as ProfileReport from "./profile/ProfileReport.ts"
import * as Report from "./Report.ts"
import * as Results from "./Results.ts"
import * as Process from "./server/Process.ts"
import { passes, type Row, table } from "./Row.ts"

interface Bench {
  readonly measure: (options: Options) => Promise<ReadonlyArray<Row>>
  /** What makes its load, where that is a generator of its own. */
  readonly load?: string
  /** Writes what the run gave beside its rows. */
  readonly write?: () => void
}

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  server: () => import("./server/Http.ts"),
  latency: () => import("./server/Latency.ts"),
  mixed: () => import("./server/Mixed.ts"),
  workers: () => import("./server/Workers.ts"),
  start: () => import("./server/Start.ts"),
  project: () => import("./server/NewProject.ts"),
  memory: () => import("./server/Memory.ts"),
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
  account: () => import("./auth/AccountPage.ts"),
  pagination: () => import("./pagination/Lists.ts"),
  driver: () => import("./pagination/Driver.ts"),
  jobs: () => import("./jobs/Queue.ts")
}

/** The subjects of the README and the largest others. */
const mainSubjects = ["server", "latency", "mixed", "project", "session", "articles", "failing", "account"]

const usage = `Usage: npm run bench -- [--quick] [main | NAME...]
       npm run bench -- profile [PATH...]

  NAME      ${Object.keys(benches).join(", ")}; all of them when none is named
  main      ${mainSubjects.join(", ")}: half an hour
  profile   where the time of each hot path goes: flame graphs in ${Profile.folder}, tables on the page
  PATH      ${Profile.names.join(", ")}; all of them when none is named
  --quick   fewer rounds, ends in a few minutes; the figures are rough and not kept
  --help    print this`

const say = (line: string) => process.stderr.write(`${line}\n`)

const prepare = () => {
  if (existsSync("bench/node_modules")) return
  say("installing the peers that we compare with (once)")
  execFileSync("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund"], { stdio: "inherit" })
}

// A virtual machine that has to wait for its host measures its host.
const mostStolen = 0.05

/** What was measured, and whether every subject came to its end. */
interface Run {
  readonly rows: ReadonlyArray<Row>
  readonly isWhole: boolean
}

const run = async (names: ReadonlyArray<string>, options: Options): Promise<Run> => {
  const all: Array<Row> = []
  let isWhole = true
  for (const [index, name] of names.entries()) {
    const began = performance.now()
    process.stderr.write(`[${index + 1}/${names.length}] ${name} … `)
    const stolen = Process.stolen()
    try {
      const bench = await benches[name]?.()
      const rows = (await bench?.measure(options)) ?? []
      say(`${Math.round((performance.now() - began) / 1000)} s`)
      const share = stolen()
      const reason =
        share > mostStolen
          ? `the host of this machine gave ${Math.round(share * 100)} % of its time to others`
          : isChanged()
            ? "the sources differ from the commit"
            : undefined
      if (reason !== undefined) say(`${name} is not kept: ${reason}`)
      else if (!options.quick) {
        bench?.write?.()
        keep({ results: { [name]: rows }, taken: { [name]: stamp(bench?.load) } })
      }
      all.push(...rows)
    } catch (error) {
      // The subjects after it are measured all the same.
      say(`failed: ${error instanceof Error ? error.stack : String(error)}`)
      isWhole = false
    }
  }
  return { rows: all, isWhole }
}

const machine = (): Results.Machine => {
  const [cpu] = cpus()
  return { node: process.version, cores: cpus().length, model: cpu?.model ?? "unknown", load: Load.generator }
}

const git = (...words: ReadonlyArray<string>): string =>
  execFileSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()

const version = (): string => (JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }).version

const figures = [Results.path, Report.pagePath, Report.chartPath, Report.readmePath, Percentiles.path]

// A figure belongs to a commit: what a run itself has written may differ, and nothing else.
const isChanged = (): boolean =>
  git("status", "--porcelain", "--untracked-files=no", "--", ".", ...figures.map((path) => `:!${path}`)) !== ""

const stamp = (load: string = Load.generator): Results.Stamp => ({
  commit: git("rev-parse", "HEAD"),
  date: new Date().toISOString().slice(0, 10),
  version: version(),
  node: process.version,
  load,
  outdated: false
})

const commitsSince = (commit: string): number | undefined => {
  try {
    return Number(git("rev-list", "--count", `${commit}..HEAD`))
  } catch {
    return undefined
  }
}

// At once, so that what was measured outlives a later subject that fails.
const keep = (measured: Omit<Results.Measured, "machine">): void => {
  const merged = Results.merge(Results.read(), { machine: machine(), ...measured })
  const results = Results.aged(merged, version(), commitsSince)
  Results.write(results)
  Report.write(results)
}

const written = () =>
  say(`written to ${Results.path}, ${Report.pagePath}, ${Report.chartPath} and ${Report.readmePath}`)

const profile = async (names: ReadonlyArray<string>, isQuick: boolean): Promise<number> => {
  const profiles = await Profile.record(names.length === 0 ? Profile.names : names, isQuick, say)
  process.stdout.write(`${ProfileReport.tables([{ machine: machine(), results: {}, profiles }])}\n`)
  say(`flame graphs in ${Profile.folder}`)
  if (isQuick) return 0
  keep({ results: {}, profiles })
  written()
  return 0
}

const main = async (argv: ReadonlyArray<string>): Promise<number> => {
  if (argv.includes("--help")) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  const isQuick = argv.includes("--quick")
  const [first, ...rest] = argv
    .filter((word) => !word.startsWith("--"))
    .flatMap((word) => (word === "main" ? mainSubjects : [word]))
  const isProfile = first === "profile"
  const names = first === undefined || isProfile ? rest : [first, ...rest]
  const isKnown = (name: string) => (isProfile ? Profile.names.includes(name) : benches[name] !== undefined)
  if (!names.every(isKnown) || argv.some((word) => word.startsWith("--") && word !== "--quick")) {
    say(usage)
    return 2
  }
  prepare()
  if (isProfile) return profile(names, isQuick)
  const { isWhole, rows } = await run(names.length === 0 ? Object.keys(benches) : names, isQuick ? quick : full)
  process.stdout.write(`${table(rows)}\n`)
  if (!isQuick) written()
  return isWhole && rows.every(passes) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
