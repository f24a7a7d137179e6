// The figures for people: docs/performance.md with its chart, and the short table in the README.
import { readFileSync, writeFileSync } from "node:fs"
import * as Chart from "./Chart.ts"
import type { Machine, Results } from "./Results.ts"
import { passes, type Row, table } from "./Row.ts"

export const chartPath = "docs/performance.svg"
export const pagePath = "docs/performance.md"
export const readmePath = "README.md"

/** What each subject measures, and how; in the order of the page. */
const about: Readonly<Record<string, readonly [title: string, text: string]>> = {
  server: [
    "The server",
    "One small JSON response of the built demo: request id, routing, session step, secure headers, metrics and the access log, which goes to a file. Beside it a bare `node:http` server that sends the same body, and Fastify 5 with our headers. 32 connections. The start is timed from `spawn` to the first response, on a database that is migrated and seeded."
  ],
  api: [
    "An endpoint of an HttpApi",
    "One GET with a small JSON response, declared once as an `HttpApi`: on this server with everything that a route has (session step, secure headers, request id, metrics), beside Effect's own `NodeHttpServer` with nothing around it. 32 connections."
  ],
  session: [
    "Who is signed in",
    "A signed-in JSON request that reads its session from SQLite, beside `get-session` of Better Auth on the same settings of SQLite. A row that was read a moment ago is remembered until anyone commits anything, which costs one query of SQLite's change counter instead of a read; the first rows are that case. Then the same while ten connections guess passwords, each guess of which commits."
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
    "Responses for each second of processor time that the server used, with telemetry, collectors and the fleet's files, and without."
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
    `A page of ten of 1,000,000 rows near the start, in the middle and near the end, beside the fastest of the statements that one would write by hand, run by the same client, with its cursor read and the next one made; then beside Kysely with \`kysely-paginate\`, a page with what belongs to its rows, and page mode without a full count, whose bar is in milliseconds. Nothing is cached. In the correlated columns one decides the other, which planners take for independent.

What was tried for orders in mixed directions on PostgreSQL. A chain of \`OR\`, which most helpers write, is no condition that an index is searched by: it reads all rows before the page. \`at <= $1 AND (at < $1 OR id > $2)\` is planned in three quarters of the time of a union, and reads every row that ties with the cursor: 1.8 times as long on the server as ours where a thousand rows tie, and longer with every further one. A branch for each column reads what it returns, and each branch costs its planning; so the last columns of one direction are one comparison of row values, which saves a quarter of the planning of three columns. Parentheses in place of subqueries saved less than a tenth of it on average, and were not taken. Nor were named statements, which would save all of it: the plan that PostgreSQL keeps for any limit and any value of a filter is not the one for ten rows.`
  ],
  articles: [
    "A list over HTTP",
    "The whole request for twenty articles with their authors as JSON, beside a bare `node:http` response of a few bytes. On SQLite a page that was read a moment ago is remembered until anything is committed; this is that case."
  ]
}

const ordered = ({ results }: Results): ReadonlyArray<readonly [string, ReadonlyArray<Row>]> =>
  Object.keys(about).flatMap((name) => {
    const rows = results[name]
    return rows === undefined ? [] : [[name, rows] as const]
  })

const described = ({ cores, load, model, node }: Machine): string =>
  `${cores} cores (${model}), Node.js ${node.replace(/^v/, "")}, load made by ${load}`

const section = (name: string, rows: ReadonlyArray<Row>): string => {
  const [title = name, text = ""] = about[name] ?? []
  return `## ${title}\n\n${text}\n\n\`npm run bench -- ${name}\`\n\n${table(rows)}\n`
}

const verdict = (rows: ReadonlyArray<Row>): string => {
  const barred = rows.filter(({ bar }) => bar !== undefined)
  return `${barred.filter(passes).length} of ${barred.length} bars are met.`
}

/** docs/performance.md */
export const page = (results: Results): string => {
  const all = ordered(results)
  const rows = all.flatMap(([, rows]) => rows)
  return `# Performance

Written by \`npm run bench\` from \`bench/results.json\`; do not edit it by hand.

Every figure is taken beside a peer in the same run, in turns, and compared round by round: the ratio is the median over the
rounds. A ratio says more than a rate, which belongs to a machine. This one had ${described(results.machine)}; the
load and the server share its cores. Every server, ours and the peers', runs with the flags of \`npm start\`. ${verdict(rows)}

![How many times better than its bar each figure is](${chartPath.replace("docs/", "")})

Repeat it on a quiet machine: \`npm run bench\` takes about half an hour, \`npm run bench -- NAME\` one subject,
\`npm run bench -- --quick\` two minutes for a rough look that does not change this page. The peers are installed into \`bench/\` by
the first run and are no dependency of the package.

${all.map(([name, rows]) => section(name, rows)).join("\n")}`
}

/** The chart of docs/performance.md */
export const chart = (results: Results): string => Chart.svg(ordered(results).flatMap(([, rows]) => rows))

/** The rows that compare us with something a reader knows. */
const known = /Better Auth's|Fastify|prom-client|Youch|bare node:http|bare argon2|^OFFSET .* one column/

/** The short table of the README: what was compared, without the bars that we have set ourselves. */
export const figures = (results: Results): string => {
  const rows = ordered(results).flatMap(([, rows]) => rows)
  return table(
    rows.filter(({ bar, subject }) => bar !== undefined && known.test(subject)),
    4
  )
}

const marked = /(<!-- figures -->\n)[^]*?(<!-- \/figures -->)/

/** The README with the figures in their place. */
export const readme = (text: string, results: Results): string =>
  text.replace(marked, (_, open: string, close: string) => `${open}\n${figures(results)}\n\n${close}`)

export const write = (results: Results): void => {
  writeFileSync(chartPath, chart(results))
  writeFileSync(pagePath, page(results))
  writeFileSync(readmePath, readme(readFileSync(readmePath, "utf8"), results))
}
