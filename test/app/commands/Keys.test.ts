// `keys rotate` beside two running programs: no visitor loses what a cookie holds.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestClient from "../../../testing/TestClient.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"

// Three minutes pass in the process with each SIGUSR2: more than a new key waits before it signs.
const clock = `
  const now = Date.now
  let passed = 0
  Date.now = () => now() + passed
  process.on("SIGUSR2", () => { passed += 180_000 })
`

const serving = Effect.fnUntraced(function* (url: string) {
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(clock)}`]
  const env = { PORT: "0", STORAGE_DIR: yield* Demo.folder, DATABASE_URL: url }
  const process = yield* Demo.start([...preload, ...Demo.main()], env)
  const [, address = ""] = yield* process.says(/listening on (http:\/\/\S+)/)
  return { url: address, letTimePass: Effect.sync(() => process.signal("SIGUSR2")) }
})

interface Guest {
  readonly session: string
  readonly token: string
}

const guest = Effect.fnUntraced(function* (url: string) {
  const client = TestClient.make(url)
  const { body } = yield* client.get("/login")
  const [, token = ""] = /name="_token" value="([^"]+)"/.exec(body) ?? []
  const guest: Guest = { session: client.jar.get("session") ?? "", token }
  return guest
})

const keyOf = ({ session }: Guest) => session.split(".")[1]

/** The status of a form: 303 when the server accepts the cookie that the form's token belongs to, else 403. */
const submit = (url: string, { session, token }: Guest) => {
  const client = TestClient.make(url)
  client.jar.set("session", session)
  return Effect.map(client.request("/logout", { form: { _token: token } }), ({ status }) => status)
}

describeDatabases("keys rotate", (database) => {
  it.scopedLive(
    "lets running programs sign with a new key, and accept the cookies of the old one",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const programs = yield* Effect.all([serving(url), serving(url)], { concurrency: 2 })
        const early = yield* Effect.forEach(programs, (program) => guest(program.url))
        expect(early.map(keyOf)).toEqual(["1", "1"])

        const rotation = yield* Demo.start(Demo.command("keys", "rotate"), {
          STORAGE_DIR: yield* Demo.folder,
          DATABASE_URL: url
        })
        expect((yield* rotation.ended).code).toBe(0)
        expect(rotation.output()).toEqual({
          stdout: "a new key signs cookies in 120 seconds; cookies of the older keys stay valid\n",
          stderr: ""
        })
        expect(keyOf(yield* guest(programs[0].url))).toBe("1")

        yield* Effect.forEach(programs, ({ letTimePass }) => letTimePass)
        const late = yield* Effect.forEach(programs, (program) =>
          eventually(guest(program.url), (visitor) => keyOf(visitor) !== "1")
        )
        expect(late.map(keyOf)).toEqual(["2", "2"])
        for (const program of programs) {
          for (const visitor of [...early, ...late]) expect(yield* submit(program.url, visitor)).toBe(303)
          const [key, forged] = [late[0], early[0]].map((visitor) => visitor?.session.split(".") ?? [])
          const mixed = [forged?.[0], key?.[1], ...(forged?.slice(2) ?? [])].join(".")
          expect(yield* submit(program.url, { session: mixed, token: early[0]?.token ?? "" })).toBe(403)
        }
      }).pipe(Effect.provide(database.layer)),
    240_000
  )
})
