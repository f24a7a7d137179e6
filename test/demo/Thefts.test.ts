// A theft in any worker is seen in the figures of all of them.
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Account from "../../demo/Account.ts"
import * as TestClient from "../../testing/TestClient.ts"
import { demo } from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

describe("auth_thefts_total", () => {
  it.scopedLive.each(["1", "2"])(
    "is 0 from the start and counts a theft once, with %s workers",
    (WORKERS) =>
      Effect.gen(function* () {
        const { url } = yield* demo({ WORKERS })
        const scrape = Effect.map(
          TestClient.make(url).request("/metrics", { headers: { accept: "text/plain" } }),
          ({ body }) => /^auth_thefts_total (\d+)$/m.exec(body)?.[1]
        )
        expect(yield* scrape).toBe("0")
        const owner = TestClient.make(url)
        const password = Redacted.value(Account.password)
        yield* owner.submit("/login", { email: Account.email, password, remember: "1" })
        const stolen = owner.jar.get("remember") ?? ""
        owner.jar.delete("session")
        expect((yield* owner.get("/account")).status).toBe(200)
        const thief = TestClient.make(url)
        thief.jar.set("remember", stolen)
        expect((yield* thief.get("/account")).location).toBe("/login")
        // The other worker writes its figures every ten seconds, or when it is scraped itself.
        expect(yield* eventually(scrape, (count) => count !== "0")).toBe("1")
      }),
    240_000
  )
})
