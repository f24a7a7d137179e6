// The command-line client, as a process of its own, against the real demo.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { bundle } from "../../support/Bundle.ts"
import * as Demo from "../../support/Demo.ts"

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

const script = bundle("../../demo/client/main.ts")

/** Runs the client to its end, with this text as its standard input. */
const run = (storage: string, args: ReadonlyArray<string>, input = ""): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: Demo.root,
      env: { ...process.env, NODE_ENV: undefined, VITEST: undefined, NO_COLOR: "1", STORAGE_DIR: storage }
    })
    const written = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => void (written[name] += chunk))
    }
    child.once("close", (status) => resume(Effect.succeed({ status, ...written })))
    child.stdin.end(input)
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

const password = "correct-horse-battery"

const meOf = (url: string, token: string) =>
  Effect.promise(() => fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } }))

describe("The client of the demo", () => {
  it.scopedLive(
    "signs in, lists articles and signs out",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Demo.demo()
        const storage = yield* Demo.folder
        const path = join(storage, "client", "session.json")
        const to = ["--url", url]

        const wrong = yield* run(storage, ["sign-in", ...to, "demo@example.com"], "not this one\n")
        expect(wrong).toEqual({ status: 1, stdout: "", stderr: "Invalid credentials.\n" })
        expect(existsSync(path)).toBe(false)
        expect(yield* run(storage, ["me", ...to])).toMatchObject({
          status: 1,
          stderr: "Not signed in, or the session has ended. Sign in first.\n"
        })

        const signedIn = yield* run(storage, ["sign-in", ...to, "demo@example.com"], `${password}\n`)
        expect(signedIn).toEqual({
          status: 0,
          stdout: `Signed in as demo@example.com. The session is in ${path}.\n`,
          stderr: ""
        })
        expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
        const stored = JSON.parse(readFileSync(path, "utf8")) as { readonly url: string; readonly token: string }
        expect(stored).toEqual({ url, token: expect.stringMatching(/^efs_/), email: "demo@example.com" })
        expect(readFileSync(path, "utf8")).not.toContain(password)

        expect((yield* run(storage, ["me", ...to])).stdout).toBe("demo@example.com, verified\n")
        const { status, stdout } = yield* run(storage, ["articles", ...to, "--limit", "3"])
        expect([
          status,
          stdout
            .trim()
            .split("\n")
            .map((line) => line.split("  ", 1)[0])
        ]).toEqual([0, ["1000", "999", "998"]])

        expect((yield* meOf(url, stored.token)).status).toBe(200)
        expect(yield* run(storage, ["sign-out", ...to])).toEqual({ status: 0, stdout: "Signed out.\n", stderr: "" })
        expect([existsSync(path), (yield* meOf(url, stored.token)).status]).toEqual([false, 401])
        expect((yield* run(storage, ["sign-out", ...to])).stdout).toBe("Not signed in.\n")

        // The session of one server is not sent to another one.
        writeFileSync(path, JSON.stringify({ ...stored, url: "https://other.example" }))
        expect((yield* run(storage, ["sign-out", ...to])).stdout).toBe("Not signed in.\n")
        expect(existsSync(path)).toBe(true)
      }),
    240_000
  )

  it.scopedLive(
    "says in a line what is wrong",
    () =>
      Effect.gen(function* () {
        const storage = yield* Demo.folder
        const lines = [
          ["http://127.0.0.1:1", "No answer from http://127.0.0.1:1. Is the demo running?\n"],
          ["http://shop.example", "shop.example needs https: a password must not be sent in the clear.\n"],
          ["ftp://localhost", "ftp://localhost is no address.\n"]
        ] as const
        for (const [url, stderr] of lines) {
          expect(yield* run(storage, ["me", "--url", url])).toEqual({ status: 1, stdout: "", stderr })
        }
        const unknown = yield* run(storage, ["publish"])
        expect([unknown.status, unknown.stdout + unknown.stderr]).toEqual([1, expect.stringContaining("sign-in")])
      }),
    240_000
  )
})
