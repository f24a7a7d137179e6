// What axe finds wrong with a page, one line each: the rule and where.
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/**
 * Evaluated as text: the tests have no types of a browser, and the page's policy allows no foreign script. It is in no other
 * frame, so it waits for none; and it describes nothing but what is wrong.
 */
const run = `axe.run({ iframes: false, resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target.join(" ")).join(", ")))`

export const violations = (page: Page): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${source}; undefined`)
    return page.evaluate<ReadonlyArray<string>>(run)
  })
