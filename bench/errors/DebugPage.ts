// The debug page of an error with ten frames, against Youch 4 in the same run.
import { Effect } from "effect"
import * as FileSources from "../../layers/errors/FileSources.ts"
import * as Page from "../../src/errors/internal/debug/DebugPage.ts"
import { Sources } from "../../src/errors/Sources.ts"
import * as CauseThrowables from "../../src/errors/internal/CauseThrowables.ts"
import type { Row } from "../Row.ts"
import { failTenDeep } from "./Failing.ts"

interface Peer {
  readonly toHTML: (error: unknown, options: object) => Promise<string>
}

const context: Page.Content["context"] = [
  {
    title: "Request",
    rows: [
      ["method", "GET"],
      ["route", "/orders/:id"],
      ["peer", "127.0.0.1"]
    ]
  },
  {
    title: "Headers",
    rows: Array.from({ length: 12 }, (_, index) => [`x-header-${index}`, "value ".repeat(8)] as const)
  }
]

const request = {
  url: "/orders/7",
  method: "GET",
  headers: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x-header-${index}`, "value ".repeat(8)]))
}

const sources = Effect.runSync(Effect.provide(Sources, FileSources.layer))

const ours = async (): Promise<number> =>
  Page.render({ throwable: CauseThrowables.from(failTenDeep()), status: 500, context }, { sources, nonce: "n" }).length

const peer = async (): Promise<(() => Promise<number>) | undefined> => {
  try {
    // Not a dependency of the framework: the measurements have a folder of packages of their own.
    const name = "youch"
    const { Youch } = (await import(name)) as { readonly Youch: new () => Peer }
    return async () => (await new Youch().toHTML(failTenDeep(), { request })).length
  } catch {
    return undefined
  }
}

const rounds = 40
const warm = 15

const time = async (work: () => Promise<number>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const large = (): number => {
  const throwable = CauseThrowables.from(new Error("x".repeat(5 * 1024 * 1024)))
  return Buffer.byteLength(Page.render({ throwable, context }, { sources, nonce: "n" })) / 1024
}

export const measure = async (): Promise<ReadonlyArray<Row>> => {
  const theirs = await peer()
  for (let round = 0; round < warm; round++) {
    await ours()
    await theirs?.()
  }
  const times: { readonly ours: Array<number>; readonly peer: Array<number> } = { ours: [], peer: [] }
  // In turns, so that a busy moment of the machine falls on both.
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await time(ours))
    if (theirs !== undefined) times.peer.push(await time(theirs))
  }
  const [mine, other] = [median(times.ours), theirs === undefined ? undefined : median(times.peer)]
  const size = large()
  return [
    {
      subject: "debug page of a 10-frame error, Youch 4",
      ours: mine,
      peer: other,
      unit: "ms",
      ratio: other === undefined ? Number.NaN : mine / other,
      bar: 0.5,
      better: "lower"
    },
    {
      subject: "debug page of a 5 MiB message",
      ours: size,
      peer: undefined,
      unit: "KiB",
      ratio: size,
      bar: Page.maxBytes / 1024,
      better: "lower"
    }
  ]
}
