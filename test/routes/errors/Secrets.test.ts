import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Schema } from "effect"
import * as ConsoleReport from "../../../src/errors/internal/ConsoleReport.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import { type RequestOptions, respond } from "../../support/Catching.ts"

const canary = {
  bearer: "canary-bearer-0001",
  cookie: "canary-cookie-0002",
  query: "canary-query-0003",
  form: "canary-form-0004",
  header: "canary-header-0005",
  field: "canary-field-0006",
  verifier: "ca".repeat(32)
}

class Leaky extends Schema.TaggedError<Leaky>()("Leaky", {
  note: Schema.String,
  accessToken: Schema.String,
  nested: Schema.Unknown,
  cause: Schema.Defect
}) {
  override get message() {
    return `sent ${canary.bearer} and ${canary.cookie} to /verify/0123456789abcdef/${canary.verifier}`
  }
}

const everything = Object.values(canary).join(" ")

const leaky = () =>
  Cause.parallel(
    Cause.die(
      new Leaky({
        note: everything.replace(canary.field, ""),
        accessToken: canary.field,
        nested: { password: canary.field, list: [{ apiKey: canary.field, note: `${"x".repeat(70)}${canary.bearer}` }] },
        cause: new Error(everything.replace(canary.field, ""), { cause: everything.replace(canary.field, "") })
      })
    ),
    Cause.die({ password: canary.field, message: `postgres://app:${canary.field}@db/x` })
  )

const options: RequestOptions = {
  method: "POST",
  url: `/verify/0123456789abcdef/${canary.verifier}?access_token=${canary.query}&page=2`,
  route: "/verify/:selector/:verifier",
  headers: {
    authorization: `Bearer ${canary.bearer}`,
    cookie: `session=${canary.cookie}; theme=${canary.cookie}`,
    "x-api-key": canary.header,
    referer: `http://localhost/?token=${canary.query}`,
    "user-agent": "test"
  },
  form: `email=ada%40example.com&password=${canary.form}&_token=${canary.form}`
}

const sources = Sources.of({ root: "/", locate: (place) => place, read: () => undefined })

const leaks = (text: string): ReadonlyArray<string> =>
  Object.values(canary).filter((value) => text.includes(value) || text.includes(encodeURIComponent(value)))

describe("Secrets", () => {
  it.effect.each(
    ["development", "staging", "test", "production"].flatMap((environment) =>
      ["text/html", "application/json", "application/problem+json"].map((accept) => ({ environment, accept }))
    ) as ReadonlyArray<{ readonly environment: "development" | "production"; readonly accept: string }>
  )("none reaches a response in $environment as $accept", (given) =>
    Effect.gen(function* () {
      const response = yield* respond(leaky(), { ...options, ...given })
      expect(leaks(response.body)).toEqual([])
      expect(leaks(JSON.stringify(response.headers))).toEqual([])
    })
  )

  it.effect("none reaches the log or the console", () =>
    Effect.gen(function* () {
      const { reports } = yield* respond(leaky(), options)
      expect(reports).toHaveLength(2)
      for (const { facts, secrets, throwable } of reports) {
        const line = RecordLine.maker(sources).make(throwable, facts, 0, secrets)
        expect(line.uri).toBe("/verify/:selector/:verifier")
        expect(leaks(RecordLine.encode(line))).toEqual([])
        const report = ConsoleReport.render(throwable, { sources, secrets })
        expect(leaks(report)).toEqual([])
      }
    })
  )

  it.effect("a text of the log repeats neither the code of a provider nor a cookie in quotes", () =>
    Effect.gen(function* () {
      const failed = Cause.die(new Error("no token for canary-code-0008, which canary-quoted-0009 has asked for"))
      const { reports } = yield* respond(failed, {
        url: "/login/with/test/callback?code=canary-code-0008",
        headers: { cookie: 'device="canary-quoted-0009"' }
      })
      const lines = reports.map(({ facts, secrets, throwable }) =>
        RecordLine.maker(sources).make(throwable, facts, 0, secrets)
      )
      expect(lines.map(({ message }) => message)).toEqual(["no token for ********, which ******** has asked for"])
    })
  )

  it.effect("none is among the facts of a report, which are plain data that can be copied", () =>
    Effect.gen(function* () {
      const { reports } = yield* respond(leaky(), options)
      const copies = reports.flatMap(({ facts }) => [facts, { ...facts }, structuredClone(facts)])
      for (const copy of copies) {
        expect(JSON.parse(JSON.stringify(copy))).toEqual({
          id: expect.stringMatching(/./),
          method: expect.stringMatching(/^[A-Z]+$/),
          uri: "/verify/:selector/:verifier",
          route: "/verify/:selector/:verifier",
          peer: "192.0.2.7"
        })
      }
      expect(leaks(JSON.stringify(copies))).toEqual([])
    })
  )

  it.effect("the page shows what is not secret", () =>
    Effect.gen(function* () {
      const { body } = yield* respond(leaky(), { ...options, environment: "development" })
      for (const text of ["ada@example.com", "/verify/:selector/:verifier", "192.0.2.7", "user-agent", "page"]) {
        expect(body).toContain(text)
      }
    })
  )

  it.effect("a path that no route takes keeps no token", () =>
    Effect.gen(function* () {
      const { reports } = yield* respond(leaky(), { ...options, route: "" })
      expect(reports[0]?.facts.uri).toBe("/verify/********/********")
    })
  )

  it.effect("a path without parameters stays as it was requested, without its query", () =>
    Effect.gen(function* () {
      const { reports } = yield* respond(Cause.die("x"), { url: "/orders?page=2", route: "/orders" })
      expect(reports[0]?.facts).toMatchObject({ method: "GET", uri: "/orders", peer: "192.0.2.7" })
    })
  )
})
