import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

/** Rights of everything below a folder, and of itself. A temporary file may be renamed after it was listed. */
const rights = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].flatMap((name) => {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      return stat === undefined ? [] : [[name, `${stat.isDirectory() ? "d" : "-"}${(stat.mode & 0o777).toString(8)}`]]
    })
  )

const isPrivate = (right: string): boolean => right === "d700" || right === "-600"

const open = (all: Readonly<Record<string, string>>) => Object.entries(all).filter(([, right]) => !isPrivate(right))

const get = (url: string) => Effect.promise(() => fetch(url, { redirect: "manual" }))

const post = (url: string, body: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const json = { accept: "application/json" }
    const page = yield* Effect.promise(() => fetch(`${url}/csrf`, { headers: json }))
    const { token }: { readonly token: string } = JSON.parse(yield* Effect.promise(() => page.text()))
    const cookie = page.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")
    const headers = { ...json, cookie, "x-csrf-token": token, "content-type": "application/json" }
    return yield* Effect.promise(() =>
      fetch(`${url}/register`, { method: "POST", headers, body: JSON.stringify(body) })
    )
  })

/** Makes the demo write everything that it ever writes: a mail, an exception, snapshots, the database. */
const use = (demo: Demo.Demo) =>
  Effect.gen(function* () {
    const password = "a long and good password"
    const response = yield* post(demo.url, {
      email: "ada@example.com",
      password,
      password_confirmation: password
    })
    expect(response.status).toBe(201)
    expect((yield* get(`${demo.url}/error`)).status).toBe(500)
    yield* get(`${demo.url}/metrics`)
    return yield* eventually(
      Effect.sync(() => Object.keys(rights(demo.storage))),
      (names) =>
        names.some((name) => name.endsWith(".eml")) &&
        names.includes(join("logs", "exceptions.log")) &&
        names.some((name) => name.startsWith("metrics/worker-")) &&
        names.includes("demo.sqlite-wal")
    )
  })

describe("what the demo keeps on disk", () => {
  it.scopedLive("is for its user alone: folders 0700, files 0600, under the usual umask", () =>
    Effect.gen(function* () {
      expect(process.umask().toString(8)).toBe("22")
      const demo = yield* Demo.demo({ STORAGE_DIR: join(yield* Demo.folder, "made", "storage"), WORKERS: "2" })
      const names = yield* use(demo)
      expect(names).toEqual(expect.arrayContaining(["demo.sqlite", "demo.sqlite-shm", "mails", "logs", "metrics"]))
      expect(open(rights(demo.storage))).toEqual([])
    })
  )

  it.scopedLive("is made so where it was open to others before", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const first = yield* Demo.demo({ STORAGE_DIR: storage })
      yield* use(first)
      first.signal("SIGTERM")
      yield* first.ended
      for (const name of ["logs/exceptions.log.1", "mails/old.eml", "metrics/old.txt"]) {
        writeFileSync(join(storage, name), "{}")
      }
      for (const [name, right] of Object.entries(rights(storage))) {
        chmodSync(join(storage, name), right.startsWith("d") ? 0o755 : 0o644)
      }
      expect(open(rights(storage)).length).toBe(Object.keys(rights(storage)).length)
      const demo = yield* Demo.demo({ STORAGE_DIR: storage, FRAMEWORK_ENVIRONMENT: "staging" })
      expect(open(rights(storage))).toEqual([])
      expect(demo.output().stderr).toBe("")
    })
  )

  it.scopedLive.runIf(process.getuid?.() === 0)("is left to another user who owns it, with one warning", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      mkdirSync(join(storage, "logs"), { mode: 0o755 })
      chownSync(join(storage, "logs"), 65534, 65534)
      const demo = yield* Demo.demo({ STORAGE_DIR: storage, WORKERS: "2" })
      expect((yield* get(`${demo.url}/livez`)).status).toBe(200)
      expect(rights(storage)["logs"]).toBe("d755")
      yield* demo.says(/chmod go=.*\n/)
      const lines = demo
        .output()
        .stderr.split("\n")
        .filter((line) => line.includes("chmod go="))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(`${join(storage, "logs")} (it belongs to another user)`)
    })
  )

  it.scopedLive("leaves a shared folder such as /tmp as it is, and warns", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      chmodSync(storage, 0o1777)
      const demo = yield* Demo.demo({ STORAGE_DIR: storage })
      expect(lstatSync(storage).mode & 0o7777).toBe(0o1777)
      const [line] = yield* demo.says(/.*\(it is shared by all users\)/)
      expect(line).toContain(`${storage} (it is shared by all users)`)
      const others = Object.fromEntries(Object.entries(rights(storage)).filter(([name]) => name !== ""))
      expect(open(others)).toEqual([])
    })
  )
})
