import { HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ResponseHeaders from "../../../routes/http/internal/ResponseHeaders.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { requestStateOf } from "../../support/RequestStates.ts"

const origins = ["https://id.example", "https://login.example"]
const both = origins.join(" ")

describe("the policy of a page whose forms lead to a provider", () => {
  it.each<readonly [string, string]>([
    ["default-src 'none'; form-action 'self'", `default-src 'none'; form-action 'self' ${both}`],
    ["form-action 'none'; img-src data:", `form-action ${both}; img-src data:`],
    ["script-src 'self';Form-Action  'self'  https://id.example", `script-src 'self';Form-Action 'self' ${both}`],
    ["form-action", `form-action ${both}`],
    // Both of two policies hold.
    ["form-action 'self', form-action 'self'", `form-action 'self' ${both}, form-action 'self' ${both}`],
    // Without the directive forms go anywhere.
    ["default-src 'self'", "default-src 'self'"],
    ["report-uri /form-action", "report-uri /form-action"]
  ])("is extended: %s", (given, expected) => {
    expect(ResponseHeaders.withFormOrigins(given, origins)).toBe(expected)
  })

  it("is the program's own where the page has one", async () => {
    const own = "default-src 'self'; script-src https://cdn.example; form-action 'self'"
    const response = HttpServerResponse.unsafeJson({}).pipe(
      HttpServerResponse.setHeaders({ "content-type": "text/html", "content-security-policy": own })
    )
    const state = requestStateOf({ formOrigins: origins })
    const lines = ResponseHeaders.headerLines(state, response)
    expect(lines[lines.indexOf("content-security-policy") + 1]).toBe(`${own} ${both}`)
    expect(lines.filter((line) => line === "content-security-policy")).toHaveLength(1)
    const mounted = await Effect.runPromise(
      ResponseHeaders.withHeaders(Effect.succeed(response)).pipe(Effect.provideService(RequestState, state))
    )
    expect(mounted.headers["content-security-policy"]).toBe(`${own} ${both}`)
  })
})
