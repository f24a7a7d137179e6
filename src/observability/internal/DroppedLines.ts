// The line that stands for log lines which nobody read in time.
import type { Name } from "../../config/Environment.ts"

/** The line for a log with this `channel`: text in development, a JSON object in other environments. */
export const of =
  (environment: Name, channel: string) =>
  (count: number, at: Date): string => {
    const message = `Log lines dropped: ${count}`
    if (environment === "development") return `WARN ${message}`
    return JSON.stringify({ timestamp: at.toISOString(), level: "WARN", channel, message })
  }
