// The request of a failure: the tables of the debug page, and the secrets that no output may contain.
import type { HttpServerRequest } from "@effect/platform"
import { ModuleVersion } from "effect"
import type { State } from "../../../src/http/internal/RequestState.ts"
import type { Section } from "../../../src/errors/internal/debug/DebugPage.ts"
import * as SecretNames from "../../../src/http/internal/text/SecretNames.ts"
import * as RequestSecrets from "../../../src/errors/internal/RequestSecrets.ts"
import { uri } from "../../../src/errors/internal/RequestContext.ts"
import { VERSION } from "../../../src/config/internal/Version.ts"

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

/** Every secret value of this request, to be masked wherever a message repeats it. */
export const secrets = (state: State, request: Request): ReadonlyArray<string> => {
  const { headers, originalUrl: url } = request
  return RequestSecrets.ofRequest({ headers, url }, state.fields)
}

const masked = (rows: Rows): Rows => rows.map(([name, value]) => [name, SecretNames.maskNamed(name, value)] as const)

const form = ({ fields }: State): Rows =>
  RequestSecrets.form(fields).map(
    ([name, value]) => [name, SecretNames.isSecretInput(name) ? SecretNames.mask : value] as const
  )

const runtime: Section = {
  title: "Process",
  isCopied: true,
  rows: [
    ["environment", "development"],
    ["runtime", `node ${process.version}`],
    ["effect", ModuleVersion.getCurrentVersion()],
    ["effect-framework", VERSION],
    ["pid", String(process.pid)]
  ]
}

/** The tables of the debug page. */
export const sections = (state: State, request: Request): ReadonlyArray<Section> => {
  const requestSection: Section = {
    title: "Request",
    isCopied: true,
    rows: [
      ["method", state.method],
      [state.route === "" ? "path" : "route", uri(state)],
      ["peer", state.clientAddress],
      ["id", state.id],
      ...(state.trace === undefined ? [] : [["trace", state.trace.traceId] as const]),
      ...(state.account === undefined ? [] : [["account", state.account] as const])
    ]
  }
  const query = { title: "Query", rows: RequestSecrets.query(search(request)) }
  const fields = { title: "Form", rows: form(state) }
  const cookies = {
    title: "Cookies",
    rows: Object.keys(request.cookies).map((name) => [name, SecretNames.mask] as const)
  }
  const optional = [query, fields, cookies].filter((section) => section.rows.length > 0)
  return [requestSection, ...optional, runtime, { title: "Headers", rows: masked(headers(request)) }]
}
