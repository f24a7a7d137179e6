// The arguments of `npm run scale`.
import { parseArgs } from "node:util"

/** What `--help` prints. */
export const usage = `Usage: npm run scale -- [COMMAND] [--minutes N] [--pause MS]

  check [TEXT]   everything that must hold on several machines, and under load (default);
                 with TEXT only the checks whose name contains it
  soak           a load for N minutes: memory and descriptors of every process stay flat
  figures        the processor time of a request, in the program and around it
  sizes          the bytes of a row of each table

  --minutes N    how long the soak takes; 30 by default
  --pause MS     how long each of its four visitors waits after a response; 200 by default, a light load
  --help         print this

Needs HAProxy and PgBouncer (apt-get install haproxy pgbouncer).
`

const commands = ["check", "soak", "figures", "sizes"] as const

/** What to run. */
export interface Request {
  readonly command: (typeof commands)[number]
  readonly minutes: number
  /** Milliseconds between two requests of a visitor in the soak. */
  readonly pause: number
  /** What the name of a check contains. */
  readonly only: string
}

const options = {
  minutes: { type: "string" },
  pause: { type: "string" },
  help: { type: "boolean", short: "h" }
} as const

const parse = (args: ReadonlyArray<string>): Request | "" => {
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (values.help === true) return ""
  const [given = "check", ...words] = positionals
  const command = commands.find((name) => name === given)
  if (command === undefined || (words.length > 0 && command !== "check"))
    throw new Error(`${JSON.stringify(positionals.join(" "))} is no command.`)
  const minutes = Number(values.minutes ?? 30)
  if (!(minutes > 0 && minutes <= 1440)) throw new Error(`${JSON.stringify(values.minutes)} is no number of minutes.`)
  const pause = Number(values.pause ?? 200)
  if (!(pause >= 0 && pause <= 60_000)) throw new Error(`${JSON.stringify(values.pause)} is no number of milliseconds.`)
  return { command, minutes, pause, only: words.join(" ") }
}

/** A request from the arguments, an empty text for help, or the reason why they are refused. */
export const read = (words: ReadonlyArray<string>): Request | string => {
  try {
    return parse(words)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
