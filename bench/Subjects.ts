// What the report says of each subject, in the order of the page.

/** What each subject measures, and how; in the order of the page. */
export const subjects: Readonly<Record<string, readonly [title: string, text: string]>> = {
  server: [
    "The server",
    "One small JSON response of the built demo with request id, session step, secure headers, metrics and the access log, beside bare `node:http` with the same body and Fastify 5 with our headers. 32 connections, five starts of each program; then 1, 4 and 256. The row with a logger gives Fastify what ours has switched on: pino to a file in batches ([asynchronous logging](https://github.com/pinojs/pino/blob/main/docs/asynchronous.md)) and a histogram of prom-client."
  ],
  latency: [
    "Latency at a fixed rate",
    "The same response at 60 % of what our server can send at most to this generator, beside Fastify with logger and histogram at the same rate. Requests are due at fixed moments and their time counts from then: a server that stalls is charged for all that waited (no coordinated omission). [The percentiles as a picture](latency.svg)."
  ],
  mixed: [
    "Mixed traffic",
    "Eight routes by chance over 32 connections, of a thousand requests 150 for the home page, 100 for the sign-in form, 200 for the account page of someone with three devices, 200 and 200 for a list by cursor and by page, 109 for the stylesheet, 40 for a route that throws and one sign-in, whose hash takes as long as all the others' work. Beside it the same pages and lists by hand on Fastify 5 with a copy of the database, prepared statements and what its users take: cookie, session, csrf-protection, formbody, helmet, rate-limit, static, pino in batches and a histogram of prom-client."
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
    "What `npm create effect-framework` writes, as its own `build` and `npm start` run it: processor time until the first response on an empty folder, and memory two minutes later, each the median of five starts. Then `npm run dev`, from a saved page to the first response that shows it, and the type check, beside one file that imports the same modules of Effect."
  ],
  memory: [
    "Memory",
    "What a worker holds two minutes after its first response, when V8 has given back what the start needed, and what it holds after a million responses over what it held after the first hundred thousand: resident, and live, which is what shows a leak."
  ],
  api: [
    "An endpoint of an HttpApi",
    "One GET with a small JSON response, declared once as an `HttpApi`: on this server with everything that a route has (session step, secure headers, request id, metrics), beside Effect's own `NodeHttpServer` with nothing around it. 32 connections."
  ],
  session: [
    "Who is signed in",
    "A signed-in JSON request beside `get-session` of Better Auth, without and with its [cookie cache](https://www.better-auth.com/docs/concepts/session-management#cookie-cache), which shows a session that was ended until the cookie is old, and beside the same by hand: `node:http` with `better-sqlite3` or `pg`, one prepared statement for session and account, the same bytes and headers. On SQLite a row that was read a moment ago is remembered until anyone commits; those rows are named so. Where the row is read each time, 4,096 people ask in turn, four times as many as are remembered."
  ],
  login: [
    "Signing in",
    "The whole sign-in over HTTP, each from another address for another account, beside bare argon2 with the same parameters, as many at once. A sign-in by passkey, from its challenge to the session, beside the same by hand: `@simplewebauthn/server` and prepared statements on the same file, in turns in one process. A return from an OpenID provider is a whole response of the demo, beside the same by hand: `node:http`, `openid-client`, which checks the signature, and prepared statements for what any implementation has to promise (limit, a state that works once, second factor, session, event); the processor time is that of the server, and provider and browser are in another process. With a hasher that takes no time, what is left is the framework's share."
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
    "Responses for each second of processor time of a route that throws, each of which is reported and rendered as an error page, beside those of a route that has the same page without a throw; and beside one that throws, catches the error and reads its stack before it has the page: that much is the engine's."
  ],
  codec: ["Cursors", "Encoding and decoding a cursor of two columns."],
  depth: [
    "Deep pages",
    "A page behind 900,000 of 1,000,000 rows, with a relation, beside the first page and beside `OFFSET`; nothing is cached between two reads."
  ],
  pagination: [
    "Lists beside SQL by hand",
    "A page of ten of 1,000,000 rows beside the fastest of the statements that one would write by hand, run by the same client with its cursor read and made; then beside Kysely with `kysely-paginate`, with relations, and page mode without a full count. Nothing is cached."
  ],
  driver: [
    "Lists beside the bare driver",
    "Processor time of the program, not of the server, for a page of ten of 1,000,000 rows in the middle, beside `better-sqlite3` with prepared and `pg` with named statements, in turns in one process. Ours also checks the cursor, every value and the order of the rows, freezes what requests may share, and has a timeout and a span. Nothing is cached."
  ],
  articles: [
    "A list over HTTP",
    "The whole request for ten articles with their authors as JSON, beside the same by hand with the same bytes and headers and no log and no metrics; 8,000 cursors in turn, and no page of them is remembered. Then beside a bare response of a few bytes; rows with “remembered” are pages that were read a moment ago."
  ],
  jobs: [
    "Jobs",
    "Ten thousand empty jobs a process, 24 at once, from the start of the worker until the end of the last one is stored, beside graphile-worker 0.16 as its documentation sets it up, beside its version 0.17 with a local queue and ends in batches (0.16 has neither), and beside pg-boss 10 by 24 loops that fetch and complete one job, since its own workers look twice a second. All on one PostgreSQL, which cleans its tables. On SQLite beside a loop of two prepared statements on the same table. Enqueued beside rows of the same columns by the bare drivers. A wake-up counts from the call of `enqueue` to the handler. Full queues are of jobs that wait five milliseconds, two at once, as by default."
  ],
  account: [
    "A page",
    "`/account` of someone with three sessions and three trusted devices, read and rendered each time, and `/readyz`, which asks the database: beside a bare `node:http` server that sends the same bytes and headers."
  ]
}
