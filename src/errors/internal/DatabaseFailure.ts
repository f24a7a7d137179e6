// Which failures say that the database is unavailable, and not that a statement is wrong.
import * as ErrorResponse from "../../http/internal/ErrorResponse.ts"
import * as Preview from "./Preview.ts"

// SQLite: a lock that outlasted the busy timeout, a file or disk that went away.
const sqliteCodes = /^SQLITE_(?:BUSY|LOCKED|CANTOPEN|IOERR|FULL|PROTOCOL)/

// PostgreSQL: connection exceptions (08), resources exhausted (53), shutdown and start (57P0x), lock timeout (55P03),
// statement timeout (57014).
const postgresCodes = /^(?:08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-5]|55P03|57014)$/

// PostgreSQL: a deadlock, and two transactions that cannot be put in an order. The same transaction may succeed next time.
const conflictCodes = new Set(["40P01", "40001"])

const socketCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN"
])

// The PostgreSQL driver and its pool give these failures no code.
const driverMessages = [
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Connection timed out",
  "Connection terminated",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool"
]

const isLost = (cause: unknown): boolean => {
  const code = Preview.get(cause, "code")
  if (typeof code === "string") {
    return sqliteCodes.test(code) || postgresCodes.test(code) || socketCodes.has(code)
  }
  const message = Preview.get(cause, "message")
  return typeof message === "string" && driverMessages.some((start) => message.startsWith(start))
}

const isConflicting = (cause: unknown): boolean => {
  const code = Preview.get(cause, "code")
  return typeof code === "string" && conflictCodes.has(code)
}

// Only causes of a `SqlError` count: a refused connection to the mail server is another failure.
const isAnyCause = (error: unknown, matches: (cause: unknown) => boolean): boolean => {
  let current = error
  let inSql = false
  // A chain of causes may be circular.
  for (let depth = 0; depth < 8 && current !== undefined && current !== null; depth++) {
    const tag = Preview.get(current, "_tag")
    if (tag === "DatabaseUnavailable") return matches(current)
    if (inSql && matches(current)) return true
    if (tag === "SqlError") inSql = true
    current = Preview.get(current, "cause")
  }
  return false
}

/** Whether the server has ended a transaction in favour of another one, as in a deadlock: it changed nothing. */
export const isConflict = (error: unknown): boolean => isAnyCause(error, isConflicting)

/**
 * Whether an error says that the database is unavailable for now, and not that a statement is wrong: also a conflict that
 * is left after the retries.
 */
export const isUnavailable = (error: unknown): boolean =>
  isAnyCause(
    error,
    (cause) => Preview.get(cause, "_tag") === "DatabaseUnavailable" || isLost(cause) || isConflicting(cause)
  )

/** The response of a failure: the one that it declares, or 503 for an unreachable database; `undefined` for any other. */
export const toResponse = (failure: unknown): ErrorResponse.ErrorResponse | undefined =>
  ErrorResponse.from(failure) ??
  (isUnavailable(failure) ? ErrorResponse.of(503, { retryAfter: ErrorResponse.retryAfter }) : undefined)
