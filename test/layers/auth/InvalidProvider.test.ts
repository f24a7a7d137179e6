// What a program with a wrong setting of a provider says at its start.
import { describe, expect, it } from "@effect/vitest"
import { InvalidProvider } from "../../../layers/auth/internal/providers/InvalidProvider.ts"
import * as StartupLine from "../../../src/config/internal/StartupLine.ts"

describe("InvalidProvider", () => {
  const refused = new InvalidProvider({ provider: "company", reason: "needs a client id" })

  it("names the provider and the setting", () => {
    expect(refused.message).toBe("The provider company needs a client id")
  })

  it("leads to its entry of the troubleshooting page", () => {
    expect(refused[StartupLine.symbol]).toBe("a-provider")
  })
})
