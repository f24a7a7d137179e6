import { describe, expect, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Redacted } from "effect"
import * as Setting from "../../../src/config/internal/Setting.ts"

const read = <A>(config: Config.Config<A>, variables: Readonly<Record<string, string>>) =>
  config.pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))))

describe("Setting", () => {
  it.effect("counts an empty value as unset", () =>
    Effect.gen(function* () {
      expect(yield* read(Setting.integer("N", 5, { min: 1 }), { N: " " })).toBe(5)
      expect(yield* read(Setting.text("T", "x"), {})).toBe("x")
    })
  )

  it.effect.each(["1.5", "1e3", "0x10", "-1", "9007199254740993", "١", "1 2"])("is no whole number: %s", (value) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read(Setting.integer("N", 5, { min: 0 }), { N: value }))
      expect(Setting.line(failure)).toBe(`N is ${JSON.stringify(value)}, expected a whole number of at least 0`)
    })
  )

  it.effect.each([
    ["1", true],
    ["TRUE", true],
    ["yes", true],
    ["0", false],
    ["off", false]
  ] as const)("reads the flag %s", ([value, expected]) =>
    Effect.gen(function* () {
      expect(yield* read(Setting.flag("F", !expected), { F: value })).toBe(expected)
    })
  )

  it.effect("never shows a secret, right or wrong", () =>
    Effect.gen(function* () {
      const secret = yield* read(Setting.secret("S"), { S: "hunter2" })
      expect(String(secret)).not.toContain("hunter2")
      expect(Redacted.value(secret)).toBe("hunter2")
      const refused = Setting.of("S", "", { expected: "something else", parse: () => undefined, secret: true })
      const failure = yield* Effect.flip(read(refused, { S: "hunter2" }))
      expect(Setting.line(failure)).toBe("S is ********, expected something else")
    })
  )

  it.effect("names the first of two malformed values, in one line", () =>
    Effect.gen(function* () {
      const both = Config.all([Setting.integer("A", 1, { min: 1 }), Setting.choice("B", "x", ["x", "y"])])
      const failure = yield* Effect.flip(read(both, { A: "a\nb", B: "z" }))
      expect(Setting.line(failure)).toBe('A is "a\\nb", expected a whole number of at least 1')
    })
  )

  it.effect("takes the base of links without a slash at its end", () =>
    Effect.gen(function* () {
      const base = Setting.baseUrl("APP_URL", "http://localhost")
      expect(yield* read(base, { APP_URL: "https://example.com/app/" })).toBe("https://example.com/app")
      for (const value of ["example.com", "javascript:alert(1)", "https://x/?a", "https://x/#a", "https://u@x"]) {
        expect((yield* Effect.flip(read(base, { APP_URL: value })))._op).toBe("InvalidData")
      }
    })
  )
})
