// Pages and API agree: whatever a person does, both answer the same, and store, send, count and tell the same.
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, TestClock } from "effect"
import { newAddress } from "../../../testing/PrivateAddress.ts"
import * as Counted from "../../fuzz/Counted.ts"
import { type Command, kinds } from "../../support/AccountCommands.ts"
import { layer as worlds, Worlds } from "../../support/AccountWorlds.ts"
import { describeDatabases } from "../../support/Databases.ts"

const passwords = ["quiet harbour", "loud mountain", "short", "password1", ""]

const password = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("quiet harbour", "loud mountain") },
  { weight: 1, arbitrary: fc.constantFrom(...passwords) }
)

// The account that most is done with, and the others.
const person = fc.constantFrom(0, 0, 0, 1, 2)

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(
    ...kinds,
    "signUp",
    "signIn",
    "signIn",
    "forgot",
    "reset",
    "verify",
    "me",
    "factor",
    "askRecovery"
  ),
  client: fc.constantFrom(0, 0, 1),
  person,
  password,
  current: password,
  remember: fc.boolean(),
  place: fc.constantFrom(0, 0, 0, 1, 2),
  seconds: fc.constantFrom(0, 0, 1, 30, 61, 601, 3601)
})

const begin: Command = {
  kind: "signUp",
  client: 0,
  person: 0,
  password: "quiet harbour",
  current: "",
  remember: false,
  place: 0,
  seconds: 0
}

const next = (kind: Command["kind"], more: Partial<Command> = {}): Command => ({ ...begin, kind, ...more })

const current = "quiet harbour"

// Few random sequences get as far as the second step of a sign-in, or to the end of a recovery.
const beginnings: ReadonlyArray<ReadonlyArray<Command>> = [
  [],
  [next("verify"), next("addApp"), next("signIn", { client: 1, seconds: 61 }), next("factor", { client: 1 })],
  [next("addApp"), next("signIn", { client: 1, remember: true }), next("factor", { client: 1, place: 1 })],
  [next("verify"), next("addApp"), next("signIn", { seconds: 61 }), next("askRecovery")],
  [
    next("verify"),
    next("addApp"),
    next("signIn", { client: 1 }),
    next("askRecovery", { client: 1 }),
    next("completeRecovery", { current, seconds: 3601 })
  ]
]

let runs = 0

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What differs, by the path to it; an empty text where nothing does. */
const differenceOf = (onPage: unknown, throughApi: unknown, path = ""): string => {
  if (isRecord(onPage) && isRecord(throughApi)) {
    const names = [...new Set([...Object.keys(onPage), ...Object.keys(throughApi)])]
    return names.map((name) => differenceOf(onPage[name], throughApi[name], `${path}.${name}`)).join("")
  }
  const [page, api] = [JSON.stringify(onPage), JSON.stringify(throughApi)]
  return page === api ? "" : `${path}\n  page ${page}\n  API  ${api}\n`
}

describeDatabases("Pages and API", (database) => {
  layer(worlds(database))((it) => {
    it.effect.prop(
      "agree on the outcome of every sequence of operations",
      {
        beginning: fc.constantFrom(...beginnings),
        commands: fc.array(command, { minLength: 10, maxLength: 24 })
      },
      ({ beginning, commands }) =>
        Effect.gen(function* () {
          const { api, pages } = yield* Worlds
          const run = ++runs
          yield* Effect.all([pages.begin, api.begin])
          const addresses = [newAddress(), newAddress()]
          const history: Array<string> = []
          for (const given of [begin, ...beginning, ...commands]) {
            yield* TestClock.adjust(`${given.seconds} seconds`)
            const email = `${given.person === 2 ? "suspended" : "person"}-${given.person}-${run}@example.com`
            const address = addresses[given.client] ?? ""
            const onPage = yield* pages.perform(given, address, email)
            const throughApi = yield* api.perform(given, address, email)
            history.push(`${given.kind} (client ${given.client}, person ${given.person}, after ${given.seconds} s)`)
            const difference = differenceOf(onPage, throughApi)
            if (difference !== "") expect.fail(`${history.join(", ")}:\n${difference}`)
            Counted.add(`operations that ended with ${onPage?.status ?? "no request"}`, 1)
          }
        }),
      // A sequence takes seconds: to shrink one takes longer than the limit of a test.
      { fastCheck: { numRuns: 6, endOnFailure: true } }
    )
  })
})
