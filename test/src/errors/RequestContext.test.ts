import { expect, it } from "@effect/vitest"
import * as RequestContext from "../../../src/errors/internal/RequestContext.ts"
import { requestStateOf } from "../../support/RequestStates.ts"

const requestState = (path: string, route: string) => requestStateOf({ id: "id", path, route, clientAddress: "::1" })

it.each([
  ["/articles", "/articles", "/articles"],
  ["/verify/selector/verifier", "/verify/:selector/:verifier", "/verify/:selector/:verifier"],
  ["/files/a/b", "/files/*", "/files/*"]
])("the address of %s on the route %s is %s", (path, route, uri) => {
  expect(RequestContext.of(requestState(path, route))).toEqual({ id: "id", method: "GET", uri, route, peer: "::1" })
})

it("names the trace and the account", () => {
  const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }
  expect(RequestContext.of({ ...requestState("/a", "/a"), trace, account: "a1" })).toMatchObject({
    trace: trace.traceId,
    account: "a1"
  })
})

it("has no verifier of a path without a route", () => {
  const verifier = "f".repeat(64)
  expect(RequestContext.uri(requestState(`/verify/a/${verifier}`, ""))).not.toContain(verifier)
})
