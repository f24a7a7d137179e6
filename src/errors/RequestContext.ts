// The request of a report.
import type { State } from "../http/Exchange.ts"
import type { ReportContext } from "./Reporters.ts"
import * as RequestSecrets from "./RequestSecrets.ts"

/** The path, or the pattern of a route that has parameters: a parameter may be a verifier. */
export const uri = ({ path, route }: State): string => {
  if (route === "") return RequestSecrets.path(path)
  return /[:*]/.test(route) ? route : path
}

/** The request as plain data. */
export const of = (exchange: State): ReportContext => ({
  id: exchange.id,
  method: exchange.method,
  uri: uri(exchange),
  peer: exchange.clientAddress,
  ...traced(exchange)
})

const traced = ({ account, trace }: State): Pick<ReportContext, "trace" | "account"> => ({
  ...(trace !== undefined && { trace: trace.traceId }),
  ...(account !== undefined && { account })
})
