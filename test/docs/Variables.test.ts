// Every environment variable is in a table with its default, and what a table says is what the code does.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Demo.ts"
import { load } from "./Environment.ts"
import { code, pages, read, rows } from "./Pages.ts"

const sources = ["src", "layers", "routes", "app", "demo"].flatMap((storey) =>
  readdirSync(join(root, storey), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => read(`${storey}/${name}`))
)

/** What is read past the settings: Node's own variables, and those of a terminal. `TERM` is told beside `NO_COLOR`. */
const unmanaged = sources
  .flatMap((text) => Array.from(text.matchAll(/(?:process\.env|environment)\["([A-Z_]+)"\]/g), ([, name = ""]) => name))
  .filter((name) => name !== "TERM")

const isVariable = (text: string): boolean => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(text)

interface Row {
  readonly place: string
  readonly variable: string
  readonly fallback: string
}

/** The rows of all tables that say what a variable is when nobody sets it. */
const table: ReadonlyArray<Row> = pages.flatMap(({ path, text }) =>
  rows(text).flatMap(([first = "", fallback = ""]) => {
    const variables = code(first)
    return variables.every(isVariable) && first === variables.map((variable) => `\`${variable}\``).join(", ")
      ? variables.map((variable) => ({ place: path, variable, fallback }))
      : []
  })
)

const deployed = table.filter(({ place }) => place === "docs/deployment.md")

// What is not a text that one could set: nothing at all, or something the machine decides.
const unspoken = new Set(["none", "empty", "587, 465 or 25", "cores − 1, at most 3"])

describe("the tables of variables", () => {
  it.effect("in docs/deployment.md name all that are read, and no other", () =>
    Effect.gen(function* () {
      const { known } = yield* load({})
      expect(deployed.map(({ variable }) => variable).sort()).toEqual([...new Set([...known, ...unmanaged])].sort())
    })
  )

  it("say what each is when nobody sets it", () => {
    const silent = table.filter(({ fallback }) => !/^`[^`]+`$/.test(fallback) && !unspoken.has(fallback))
    expect(silent).toEqual([])
  })

  it("agree with each other", () => {
    const told = new Map(deployed.map(({ fallback, variable }) => [variable, fallback]))
    expect(table.length).toBeGreaterThan(deployed.length + 15)
    expect(table.filter(({ fallback, variable }) => told.get(variable) !== fallback)).toEqual([])
  })

  it.effect.each(deployed.filter(({ fallback }) => fallback.startsWith("`")))(
    "say the default of $variable: setting it changes nothing",
    ({ fallback, variable }) =>
      Effect.gen(function* () {
        const { settings: untouched } = yield* load({})
        const { settings } = yield* load({ [variable]: fallback.replaceAll("`", "") })
        expect(JSON.stringify(settings)).toBe(JSON.stringify(untouched))
      })
  )

  it.effect("would notice another default", () =>
    Effect.gen(function* () {
      const { settings: untouched } = yield* load({})
      const { settings } = yield* load({ PORT: "8088" })
      expect(JSON.stringify(settings)).not.toBe(JSON.stringify(untouched))
    })
  )
})
