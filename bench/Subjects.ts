// What the report says of each subject, in the order of the page.

/** What each subject measures, and how; in the order of the page. */
export const subjects: Readonly<Record<string, readonly [title: string, text: string]>> = {
  server: [
    "The server",
    "One small JSON response of the built demo: request id, routing, session step, secure headers, metrics and the access log, which goes to a file. Beside it a bare `node:http` server that sends the same body, and Fastify 5 with our headers. 32 connections, five starts of each program, and then 1, 4 and 256. The last row gives Fastify what ours has switched on: its own logger, pino, to a file in batches ([asynchronous logging](https://github.com/pinojs/pino/blob/main/docs/asynchronous.md)), and a histogram of prom-client for the duration by method, route and status."
  ],
  latency: [
    "Latency at a fixed rate",
    "The same small JSON response at 60 % of what our server can send at most, beside Fastify with its logger and a histogram at the same rate; the rates are found first, with 32 connections. Requests are due at fixed moments and their time counts from then, so a server that stalls is charged for all that waited (no coordinated omission). The generator is `bench/load/FixedRate.mjs`. [The percentiles as a picture](latency.svg)."
  ],
  workers: [
    "Two workers",
    "Responses for each second of processor time that the supervisor and all workers used, with two workers and with one: what a further worker costs beside its own requests."
  ],
  start: [
    "The start",
    "From `spawn` of the built demo to the first response: on an empty folder, which is migrated and seeded with 1,000 articles and an account whose password is hashed, and on a database that is there. Beside it the first response of a bare `node:http` server, which says how fast the machine starts a process."
  ],
  project: [
    "A new project",
    "What `npm create effect-framework` writes, built by its own `build` and started as `npm start` does: the processor time until its first response, on an empty folder, and what it holds in memory two minutes later."
  ],
  memory: [
    "Memory",
    "What a worker holds resident, two minutes and a second after its first response: V8 gives back in steps what the start has needed, the last of them within two minutes. Then what it holds after a million routed JSON responses over what it held after the first hundred thousand, when the code is compiled: resident, two minutes after a collection of its garbage, and live, which is the size of the objects that this collection has left. The live heap is what shows a leak; the resident memory also holds the young generation, which V8 sizes by the load that it has seen last."
  ],
  api: [
    "An endpoint of an HttpApi",
    "One GET with a small JSON response, declared once as an `HttpApi`: on this server with everything that a route has (session step, secure headers, request id, metrics), beside Effect's own `NodeHttpServer` with nothing around it. 32 connections."
  ],
  session: [
    "Who is signed in",
    `A signed-in JSON request, beside \`get-session\` of Better Auth on the same settings of SQLite and on PostgreSQL, and beside the same by hand: \`node:http\` with \`better-sqlite3\` or \`pg\`, which reads the cookie, takes its SHA-256, selects session and account by one prepared statement, stamps its last use once a minute, and sends the same bytes and headers.

On SQLite a row that was read a moment ago is remembered until anyone commits anything, which costs one query of SQLite's change counter instead of a read; those rows are named so. Where the row is read each time, 4,096 people are signed in and ask in turn, four times as many as are remembered. On PostgreSQL nothing is remembered. Then the remembered read while ten connections guess passwords, each guess of which commits.`
  ],
  login: [
    "Signing in",
    "The whole sign-in over HTTP, each from another address for another account, beside bare argon2 with the same parameters, as many at once. With a hasher that takes no time, what is left is the framework's share."
  ],
  tokens: ["Tokens", "A token minted and redeemed, over and over."],
  enumeration: [
    "Who has an account",
    "The median response time for an address that has an account over that of one that has none. It should be 1: the time does not reveal who has an account."
  ],
  instruments: [
    "Metrics",
    "Writes, exposition and merging beside prom-client 15; where it has labels, ours are bound once, as one does on a hot path."
  ],
  telemetry: [
    "What counting costs",
    "Responses for each second of processor time that the server used, with telemetry, collectors and the fleet's files, and without; each program is started eight times, since two starts of one differ by more than what is measured."
  ],
  debug: [
    "The debug page",
    "An exception with a cause rendered in development, beside Youch 4; and the size of the page for a message of 5 MiB."
  ],
  failing: [
    "A failing route",
    "Responses of a route that throws, each of which is reported and rendered as an error page, beside those of the home page."
  ],
  codec: ["Cursors", "Encoding and decoding a cursor of two columns."],
  depth: [
    "Deep pages",
    "A page behind 900,000 of 1,000,000 rows, with a relation, beside the first page and beside `OFFSET`; nothing is cached between two reads."
  ],
  pagination: [
    "Lists beside SQL by hand",
    `A page of ten of 1,000,000 rows near the start, in the middle and near the end, beside the fastest of the statements that one would write by hand, run by the same client, with its cursor read and the next one made; then beside Kysely with \`kysely-paginate\`, a page with what belongs to its rows, and page mode without a full count, whose bar is in milliseconds. Nothing is cached. In the correlated columns one decides the other, which planners take for independent.`
  ],
  driver: [
    "Lists beside the bare driver",
    "The time of the processor for a page of ten of 1,000,000 rows in the middle, beside `better-sqlite3` with statements that are prepared once and beside `pg` with named ones, in turns in one process: the cursor is read, the rows are found and the next cursor is made. Then a page with what belongs to its rows. Ours also checks the cursor, every value and the order of the rows, freezes what requests may share, and has a timeout and a span for each statement. Nothing is cached."
  ],
  articles: [
    "A list over HTTP",
    `The whole request for ten articles with their authors as JSON. First beside the same by hand, which sends the same bytes and headers: \`node:http\` with \`better-sqlite3\` or \`pg\`, one prepared statement with a join, no log and no metrics. 8,000 cursors are asked in turn, and no page of them is remembered.

Then beside a bare \`node:http\` response of a few bytes. On SQLite a page that was read a moment ago is remembered until anything is committed; the rows that are named so are that case.`
  ],
  account: [
    "A page",
    "`/account` of someone with three sessions and three trusted devices, which reads and renders them all each time (kept are the words for a minute, for a browser and for an `Accept` header, the handle of a session and its form secret), and `/readyz`, which asks the database: beside a bare `node:http` server that sends the same bytes and headers."
  ]
}
