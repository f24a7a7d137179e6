import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isCurrent } from "./Built.ts"
import { folder } from "./NodeProcess.ts"

const put = (root: string, path: string, seconds: number): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), "")
  utimesSync(join(root, path), seconds, seconds)
}

/** Sources of the first minute, built in the second. */
const checkout = Effect.map(folder, (root) => {
  for (const name of ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"]) put(root, name, 10)
  for (const path of ["src/auth/Users", "layers/Server"]) {
    put(root, `${path}.ts`, 20)
    put(root, `dist/${path}.js`, 80)
    put(root, `dist/${path}.d.ts`, 80)
  }
  return root
})

const changes: ReadonlyArray<readonly [string, (root: string) => void]> = [
  ["that has not happened", (root) => rmSync(join(root, "dist"), { recursive: true })],
  ["before a change of a source", (root) => put(root, "layers/Server.ts", 90)],
  ["before a change of a setting", (root) => put(root, "tsconfig.json", 90)],
  ["without a new source", (root) => put(root, "routes/New.ts", 20)],
  ["with a source that is no more", (root) => rmSync(join(root, "layers/Server.ts"))]
]

describe("A build", () => {
  it.scopedLive("of the present sources is current", () =>
    Effect.map(checkout, (root) => expect(isCurrent(root)).toBe(true))
  )

  it.scopedLive.each(changes)("%s is not", ([, change]) =>
    Effect.map(checkout, (root) => {
      change(root)
      expect(isCurrent(root)).toBe(false)
    })
  )
})
