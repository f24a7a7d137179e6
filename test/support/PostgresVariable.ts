// Where the examples of the documentation find a PostgreSQL server, as those of a program find one that runs already.
import { inject } from "vitest"

process.env["TEST_POSTGRES"] = `${inject("postgresServer")}/postgres`
