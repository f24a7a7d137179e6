// The response of a page of the development panel.
import { HttpServerResponse } from "@effect/platform"
import * as PanelPage from "../../../src/devtools/internal/PanelPage.ts"

/** Kept by nobody, shown in no frame, read by no other site. */
export const headers = (policy: string): Readonly<Record<string, string>> => ({
  "cache-control": "no-store",
  "content-security-policy": policy,
  "cross-origin-resource-policy": "same-origin"
})

/** The page under a nonce of its own. */
export const page = (given: PanelPage.Page, status = 200): HttpServerResponse.HttpServerResponse => {
  const nonce = globalThis.crypto.randomUUID().replaceAll("-", "")
  return HttpServerResponse.raw(PanelPage.render(given, nonce), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: headers(PanelPage.contentSecurityPolicy(nonce))
  })
}
