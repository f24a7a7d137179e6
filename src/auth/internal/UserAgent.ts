// A readable name for a `User-Agent`. Clients can send anything: it is a hint, never evidence.
import * as Remembered from "../../http/internal/text/Remembered.ts"
import { english, type Texts } from "../AuthTexts.ts"

// Derived browsers also name the browser they derive from, so they are matched first.
const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/\S+ .*Safari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

const first = (table: ReadonlyArray<readonly [RegExp, string]>, agent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(agent))?.[1]

const maxToken = 40

// Longer than any browser's own, and short enough to bound the match for Safari.
const longest = 1024

// A page names each device several times, and most users have one of a few browsers.
const named = Remembered.make(
  (agent: string) => ({
    browser: first(browsers, agent),
    system: first(systems, agent),
    product: /^[A-Za-z][\w.-]*/.exec(agent)?.[0].slice(0, maxToken)
  }),
  256
)

/** `Firefox on Linux`; the product's name for other clients; `Unknown device` without one. */
export const describe = (
  given: string,
  { browserOn, unknownDevice }: Pick<Texts["lastSeen"], "browserOn" | "unknownDevice"> = english.lastSeen
): string => {
  const { browser, product, system } = named(given.slice(0, longest))
  if (browser !== undefined) return system === undefined ? browser : browserOn(browser, system)
  return product === undefined || product === "Mozilla" ? (system ?? unknownDevice) : product
}
