import { HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Flash from "../../../routes/session/Flash.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as StoredFlash from "../../../routes/session/internal/StoredFlash.ts"
import * as SessionCookie from "../../../routes/session/internal/SessionCookie.ts"
import { Browser, stores } from "../../layers/auth/Stores.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { send } from "../auth/PipelineRequest.ts"

const taken = Effect.map(StoredFlash.take, (notice) => HttpServerResponse.unsafeJson(notice))

const onSession = (stored: string) =>
  Effect.zipRight(
    Effect.flatMap(SessionCookie.current, (session) => session.set("flash", stored)),
    Effect.succeed(HttpServerResponse.text("stored"))
  )

describeDatabases("Flash", (database) => {
  layer(stores(database))((it) => {
    it.effect("is shown once with its tone", () =>
      Effect.gen(function* () {
        for (const notice of [Flash.success("Saved: a"), Flash.error("Wrong"), Flash.info("Sign in first")]) {
          const browser = new Browser()
          yield* send(StoredFlash.redirect("/", notice), { browser })
          expect(JSON.parse((yield* send(taken, { browser })).body)).toMatchObject({ value: notice })
          expect(JSON.parse((yield* send(taken, { browser })).body)).toMatchObject({ _tag: "None" })
        }
      })
    )

    it.effect("is shown where a browser is redirected to, and is the response of a JSON client", () =>
      Effect.gen(function* () {
        const saved = Respond.redirectWithFlash("/notes", Flash.success("Saved"))
        const browser = new Browser()
        const redirect = yield* send(saved, { browser })
        expect([redirect.status, redirect.headers["location"]]).toEqual([303, "/notes"])
        expect(JSON.parse((yield* send(taken, { browser })).body)).toMatchObject({ value: Flash.success("Saved") })
        const headers = { accept: "application/json" }
        const { body, lines, status } = yield* send(saved, { headers })
        expect([status, JSON.parse(body), lines]).toEqual([200, { message: "Saved" }, []])
        const made = Respond.redirectWithFlash("/notes", Flash.success("Saved"), { status: 201, value: { id: 7 } })
        expect(yield* send(made, { headers })).toMatchObject({ status: 201, body: '{"id":7}' })
      })
    )

    it.effect("reads what a worker of the version before has stored", () =>
      Effect.gen(function* () {
        const stored: ReadonlyArray<readonly [string, { readonly tone: string; readonly text: string }]> = [
          ["good:Saved", { tone: "success", text: "Saved" }],
          ["bad:Wrong: again", { tone: "error", text: "Wrong: again" }],
          ["Sign in", { tone: "info", text: "Sign in" }]
        ]
        for (const [text, value] of stored) {
          const browser = new Browser()
          yield* send(onSession(text), { browser })
          expect(JSON.parse((yield* send(taken, { browser })).body)).toMatchObject({ value })
        }
      })
    )
  })
})
