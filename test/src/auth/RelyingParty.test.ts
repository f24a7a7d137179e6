import { describe, expect, it } from "@effect/vitest"
import * as RelyingParty from "../../../src/auth/internal/passkeys/RelyingParty.ts"

describe("The relying party", () => {
  it.each([
    ["https://app.example.com", "app.example.com", "https://app.example.com"],
    ["https://app.example.com:443/base", "app.example.com", "https://app.example.com"],
    ["https://App.Example.com:8443/", "app.example.com", "https://app.example.com:8443"],
    ["http://localhost:8087", "localhost", "http://localhost:8087"],
    ["https://bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"],
    ["not a url", "", ""]
  ])("of %s is %s", (appUrl, id, origin) => {
    expect(RelyingParty.of(appUrl)).toEqual({ id, origin })
  })
})
