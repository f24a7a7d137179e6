// The arguments and variables of `npm run fuzz`.
import { parseArgs } from "node:util"
import * as Properties from "./Properties.ts"

/** What `--help` prints. */
export const usage = `Usage: npm run fuzz -- [--minutes N] [NAME...]

  NAME          only test files whose path contains NAME
  --minutes N   repeat with fresh seeds until N minutes have passed (or FUZZ_MINUTES=N)
  --help        print this

Each property runs ${Properties.factor} times as often as in npm test, and ${Properties.expensiveFactor} times where it needs a database or a server.
FUZZ_SEED=N runs each property once, with exactly this seed: a failure prints the command.
`

/** What to run. */
export interface Request {
  readonly files: ReadonlyArray<string>
  /** Until when rounds are repeated; one round when it is not given. */
  readonly minutes: number | undefined
  /** The one seed of a repeated failure, or empty. */
  readonly seed: string
}

type Environment = Readonly<Record<string, string | undefined>>

const options = { minutes: { type: "string" }, help: { type: "boolean", short: "h" } } as const

const parse = (words: ReadonlyArray<string>, env: Environment): Request | "" => {
  const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true })
  if (values.help === true) return ""
  const minutes = values.minutes ?? env["FUZZ_MINUTES"] ?? ""
  if (minutes !== "" && !(Number(minutes) > 0)) throw new Error(`${JSON.stringify(minutes)} is no number of minutes.`)
  const seed = env["FUZZ_SEED"] ?? ""
  if (!/^(?:-?\d{1,10})?$/.test(seed)) throw new Error(`FUZZ_SEED is ${JSON.stringify(seed)}, expected a whole number.`)
  const unknown = positionals.find((name) => Properties.named(name).length === 0)
  if (unknown !== undefined) throw new Error(`No file with a property has ${JSON.stringify(unknown)} in its path.`)
  const files = positionals.length === 0 ? Properties.files() : [...new Set(positionals.flatMap(Properties.named))]
  return { files, minutes: minutes === "" ? undefined : Number(minutes), seed }
}

/** A request from the arguments and variables, an empty text for help, or the reason why they are refused. */
export const read = (words: ReadonlyArray<string>, env: Environment): Request | string => {
  try {
    return parse(words, env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
