// The rate limits are those of the site.
import { Effect } from "effect"
import assert from "node:assert/strict"
import * as TestClient from "../../testing/TestClient.ts"
import * as People from "./People.ts"
import type { Site } from "./Site.ts"

/** Five wrong passwords a minute from one address, however many machines they are sent to. */
export const limits = ({ machines, url }: Site) =>
  Effect.gen(function* () {
    const guest = TestClient.make(url)
    const urls = [...machines.map((machine) => machine.url), url]
    const attempts = Array.from({ length: 8 }, (_, index) => urls[index % urls.length] ?? url)
    const statuses = yield* Effect.forEach(attempts, (at) =>
      Effect.map(
        People.through(guest, at).submit("/login", { email: "nobody@example.com", password: "wrong-password" }),
        ({ status }) => status
      )
    )
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429])
    return "five sign-ins a minute are allowed on all machines together"
  })
