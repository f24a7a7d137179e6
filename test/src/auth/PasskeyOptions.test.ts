import { describe, expect, it } from "@effect/vitest"
import * as PasskeyOptions from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"

const site = { id: "app.example.com", origin: "https://app.example.com" }

describe("The options of a passkey", () => {
  it("ask for one that is found without a name, of a verified person, and not for one that is there", () => {
    const existing = [PasskeyOptions.descriptor("AAAA", ["internal", "hybrid"])]
    const options = PasskeyOptions.creation(site, "challenge", { handle: "BBBB", email: "ada@example.com", existing })
    expect(options).toMatchObject({
      challenge: "challenge",
      rp: { id: "app.example.com" },
      user: { id: "BBBB", name: "ada@example.com", displayName: "ada@example.com" },
      timeout: 300_000,
      excludeCredentials: [{ type: "public-key", id: "AAAA", transports: ["internal", "hybrid"] }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none"
    })
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  })

  it("of a sign-in name no passkey, so that they say nothing of an account", () => {
    expect(PasskeyOptions.request(site, "challenge")).toEqual({
      challenge: "challenge",
      rpId: "app.example.com",
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: []
    })
  })
})
