// Hints for the errors that everyone meets once: what is wrong, and the command or setting that repairs it.
import * as Preview from "../Preview.ts"
import type { Throwable } from "../../Throwable.ts"

/** A likely reason and what to do about it. */
interface Hint {
  readonly reason: string
  readonly remedy: string
}

/** What a rule looks at: the error or one of its causes. */
interface Facts {
  readonly class: string
  readonly code: string
  readonly message: string
  /** Whether it is an error of the database, or the cause of one. */
  readonly isSql: boolean
}

type Rule = (facts: Facts) => Hint | undefined

const name = "[\"'`]?([\\w.$@/-]{1,120})[\"'`]?"

const match = (pattern: string, hint: (name: string) => Hint): Rule => {
  const expression = new RegExp(pattern)
  return ({ message }) => {
    const [, found] = expression.exec(message) ?? []
    return found === undefined ? undefined : hint(found)
  }
}

const whenCode = (codes: ReadonlyArray<string>, hint: (facts: Facts) => Hint | undefined): Rule => {
  const known = new Set(codes)
  return (facts) => (known.has(facts.code) ? hint(facts) : undefined)
}

const migrate =
  "Run `npm run migrate`. A table of the program needs a migration: add one to `migrations` in `App.ts`; one that was applied is never changed."

const missingTable = (table: string): Hint => ({ reason: `The table ${table} does not exist.`, remedy: migrate })

const missingColumn = (column: string): Hint => ({
  reason: `The column ${column} does not exist.`,
  remedy: `${migrate} Or the statement has a misspelled name.`
})

const databaseUrl =
  "DATABASE_URL is `postgres://user:password@host:5432/database`; without it the data is in a SQLite file."

const unreachable = ({ isSql }: Facts): Hint =>
  isSql
    ? { reason: "The database cannot be reached.", remedy: `Start it, or correct the host and port. ${databaseUrl}` }
    : {
        reason: "The other server cannot be reached.",
        remedy: "Start it, or correct its host and port in the settings of the program."
      }

// The first rule that matches an error wins.
const rules: ReadonlyArray<Rule> = [
  match(`column ${name} (?:of relation ${name} )?does not exist`, missingColumn),
  match(`no such table: ${name}`, missingTable),
  match(`relation ${name} does not exist`, missingTable),
  match(`no such column: ${name}`, missingColumn),
  whenCode(["EADDRINUSE"], () => ({
    reason: "Another program listens on this address.",
    remedy: "Stop it, or set PORT to another number; with `PORT=0` the system picks a free one."
  })),
  whenCode(["EACCES", "EPERM"], () => ({
    reason: "This user may not open the file or the port.",
    remedy: "Change the rights of the file, or set STORAGE_DIR or PORT to one that this user may use."
  })),
  whenCode(["28P01", "28000"], () => ({
    reason: "The database refuses the user or the password.",
    remedy: `Correct them, with reserved characters percent-encoded. ${databaseUrl}`
  })),
  whenCode(["3D000"], () => ({
    reason: "The server runs, and has no database of this name.",
    remedy: `Create it with \`createdb NAME\`, or correct the name. ${databaseUrl}`
  })),
  whenCode(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"], unreachable),
  ({ class: kind }) =>
    kind === "DatabaseUnavailable" ? unreachable({ class: kind, code: "", message: "", isSql: true }) : undefined,
  whenCode(["SQLITE_BUSY", "SQLITE_LOCKED"], () => ({
    reason: "Another process writes to the SQLite file.",
    remedy: "End a program that holds a transaction open, such as a shell on the same file, or use PostgreSQL."
  })),
  whenCode(["SQLITE_CANTOPEN", "SQLITE_READONLY"], () => ({
    reason: "The SQLite file cannot be opened for writing.",
    remedy: "Set STORAGE_DIR, or the path in DATABASE_URL, to a folder that this user may write to."
  })),
  match(`Service not found: ${name}`, (service) => ({
    reason: `No layer provides the service ${service}.`,
    remedy: "Add its layer to `services` in `App.ts`. A type that is cast away hides this from the compiler."
  })),
  match(`Cannot find (?:module|package) ${name}`, (found) => ({
    reason: `The package or file ${found} is missing.`,
    remedy: "Run `npm install`. A file of the program is imported with its extension, `./Notes.ts`."
  }))
]

const longest = 4096

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, longest) : "")

const factsOf = (throwable: Throwable, isSql: boolean): Facts => ({
  class: throwable.class,
  code: textOf(Preview.get(throwable.value, "code")),
  message: textOf(throwable.message),
  isSql
})

/** The hints for an error and its causes, at most three. */
export const of = (throwable: Throwable): ReadonlyArray<Hint> => {
  const all = [throwable, ...throwable.chain]
  const isSql = all.some((link) => link.class === "SqlError" || link.class === "DatabaseUnavailable")
  const found = new Map<string, Hint>()
  for (const link of all) {
    const facts = factsOf(link, isSql)
    for (const rule of rules) {
      const hint = rule(facts)
      if (hint === undefined) continue
      found.set(hint.reason, hint)
      break
    }
  }
  return Array.from(found.values()).slice(0, 3)
}
