// Help texts of the program, and how the command line asks for them.
import { HelpDoc } from "@effect/cli"
import { wantsColours } from "../src/errors/internal/ConsoleReport.ts"

const variables: ReadonlyArray<readonly [names: string, meaning: string]> = [
  ["HOST, PORT", "where it listens (127.0.0.1, 8087)"],
  ["APP_URL", "base of the links in e-mails (http://localhost:PORT)"],
  ["DATABASE_URL", "file:PATH or postgres://… (a SQLite file in STORAGE_DIR)"],
  ["STORAGE_DIR", "e-mails, logs, metrics and the default database (storage)"],
  ["WORKERS", "processes that share the port (1)"],
  ["TRUSTED_PROXIES", "proxies whose X-Forwarded-For is trusted (none)"],
  ["MAIL_HOST", "the mail server (none: e-mails are files in STORAGE_DIR)"],
  ["FRAMEWORK_ENVIRONMENT", "development, staging, test or production (production)"]
]

const width = Math.max(...variables.map(([names]) => names.length)) + 2

const table = variables.map(([names, meaning]) => `  ${names.padEnd(width)}${meaning}`).join("\n")

/** What the program does without a command. */
export const description = HelpDoc.blocks([
  HelpDoc.p("Serves until Ctrl-C or SIGTERM, unless a command is given."),
  HelpDoc.p(
    "The settings are environment variables, each with a default; docs/deployment.md of effect-framework lists all of them:"
  ),
  HelpDoc.p(table)
])

/** Whether the arguments ask for help, wherever they do. */
export const isAsked = (args: ReadonlyArray<string>): boolean =>
  args[0] === "help" || args.includes("--help") || args.includes("-h")

/** The arguments that print the help of the command that these name. */
export const request = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = args[0] === "help" ? args.slice(1) : args
  const firstOption = words.findIndex((word) => word.startsWith("-"))
  return [...(firstOption === -1 ? words : words.slice(0, firstOption)), "--help"]
}

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

/** The text of the parser for this stream: without colours unless it is a terminal that wants them. */
export const printable = (text: string, stream?: { readonly isTTY?: boolean }): string =>
  (wantsColours(process.env, stream?.isTTY === true) ? text : text.replaceAll(escapes, "")).trim()
