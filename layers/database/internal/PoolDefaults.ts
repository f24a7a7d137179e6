// The bounds of a PostgreSQL pool, in a file that does not load the optional driver.
import type { Settings } from "./PostgresPool.ts"

/** Ten connections, five seconds to get one, and half a minute for a statement. */
export const poolDefaults: Settings = { maxConnections: 10, connectTimeout: 5000, statementTimeout: 30_000 }
