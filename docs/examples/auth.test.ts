import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CapturedMail, TestApp } from "effect-framework/testing"

layer(TestApp.layer([]))("an account", (it) => {
  it.effect("is confirmed by the link in its e-mail, once", () =>
    Effect.gen(function* () {
      const { linkTo } = yield* CapturedMail.CapturedMail
      const guest = yield* TestApp.guest
      const email = "ann@example.com"
      const made = yield* guest.json("POST", "/register", { email, password: "quiet harbour" })
      expect([made.status, made.json]).toEqual([201, expect.objectContaining({ email, verified: false })])
      const link = yield* linkTo(email)
      expect((yield* guest.json("GET", link)).status).toBe(200)
      expect((yield* guest.json("GET", link)).status).toBe(410)
      expect((yield* guest.json("GET", "/account")).json).toMatchObject({ email, verified: true })
    })
  )
})
