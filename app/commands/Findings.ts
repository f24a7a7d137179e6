// What `doctor` says of a subject: it is fine, has a hint, or must be fixed, and how.
import * as StartupLine from "../../src/config/internal/StartupLine.ts"

/** What is looked at, in the order of the report. */
export const subjects = [
  "node",
  "settings",
  "packages",
  "storage",
  "database",
  "migrations",
  "clock",
  "mail",
  "providers",
  "port",
  "address",
  "secrets",
  "proxies"
] as const

export interface Finding {
  readonly status: "ok" | "hint" | "fix"
  readonly subject: (typeof subjects)[number]
  readonly said: string
}

const finding =
  (status: Finding["status"]) =>
  (subject: Finding["subject"], said: string): Finding => ({ status, subject, said })

export const ok = finding("ok")
export const hint = finding("hint")

/** The headings of docs/troubleshooting.md; a line that names its own keeps it. */
export const entries: Partial<Record<Finding["subject"], string>> = {
  clock: "the-clock",
  mail: "what-people-see",
  port: "the-port",
  address: "what-people-see",
  secrets: "a-secret",
  proxies: "what-people-see"
}

export const fix = (subject: Finding["subject"], said: string): Finding =>
  finding("fix")(subject, StartupLine.guided(said, entries[subject]))

/** What is to be done about a failure. */
export const failed = (subject: Finding["subject"], error: unknown): Finding =>
  finding("fix")(subject, StartupLine.line(error) ?? String(error))
