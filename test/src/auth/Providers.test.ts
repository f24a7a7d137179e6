import { describe, expect, it } from "@effect/vitest"
import { ProviderRefused } from "../../../src/auth/Providers.ts"

describe("a provider that has signed nobody in", () => {
  it("is told in the log with what to look at, beside the outcome that the metric counts", () => {
    expect(new ProviderRefused({ provider: "google", reason: "configuration" }).message).toBe(
      "The provider google has signed nobody in (configuration): " +
        "it does not accept the client id, the secret or the callback of this program."
    )
  })
})
