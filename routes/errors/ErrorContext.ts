// What is known around a failure: for reports in short, for the debug page in full, and never with a secret in it.
import type { HttpServerRequest } from "@effect/platform"
import type { State } from "../../src/http/Exchange.ts"
import type { Section } from "../../src/errors/DebugPage.ts"
import * as Redaction from "../../src/errors/Redaction.ts"
import * as RequestSecrets from "../../src/errors/RequestSecrets.ts"
import { uri } from "../../src/errors/RequestContext.ts"

type Request = HttpServerRequest.HttpServerRequest
type Rows = Array<readonly [string, string]>

const search = (request: Request): string => {
  const at = request.url.indexOf("?")
  return at < 0 ? "" : request.url.slice(at + 1)
}

const headers = (request: Request): Rows =>
  Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const]
  )

const form = (exchange: State): Rows =>
  (exchange.fields?.names ?? []).map((name) => [name, exchange.fields?.get(name) ?? ""] as const)

/** Every value of this request that must not be seen, wherever a message may repeat it. */
export const secrets = (exchange: State, request: Request): ReadonlyArray<string> => [
  ...RequestSecrets.secrets([
    ...headers(request),
    ...new URLSearchParams(search(request)),
    ...form(exchange),
    ...Object.entries(request.cookies).map(([, value]) => ["cookie", value] as const)
  ]),
  ...RequestSecrets.tokenSegments(exchange.path)
]

const masked = (rows: Rows): Rows => rows.map(([name, value]) => [name, Redaction.value(name, value)] as const)

const runtime: Section = {
  title: "Process",
  rows: [
    ["environment", "development"],
    ["runtime", `node ${process.version}`],
    ["pid", String(process.pid)]
  ]
}

/** The tables of the debug page, which only the development environment shows. */
export const sections = (exchange: State, request: Request): ReadonlyArray<Section> => {
  const asked: Section = {
    title: "Request",
    rows: [
      ["method", exchange.method],
      [exchange.route === "" ? "path" : "route", uri(exchange)],
      ["peer", exchange.peer],
      ["id", exchange.id]
    ]
  }
  const query = { title: "Query", rows: RequestSecrets.query(search(request)) }
  const fields = { title: "Form", rows: masked(form(exchange)) }
  const cookies = {
    title: "Cookies",
    rows: Object.keys(request.cookies).map((name) => [name, Redaction.mask] as const)
  }
  const optional = [query, fields, cookies].filter((section) => section.rows.length > 0)
  return [asked, ...optional, runtime, { title: "Headers", rows: masked(headers(request)) }]
}
