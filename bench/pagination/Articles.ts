// The whole request for a page of the demo's articles, beside the smallest response of node:http.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"

const bare = join(import.meta.dirname, "..", "server", "Bare.mjs")

/** A cursor in the middle of the list, as a client would have got it. */
const middle = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/articles?cursor=&limit=100`)
  const body: unknown = await response.json()
  if (typeof body !== "object" || body === null || !("next" in body)) throw new Error("the articles have no next page")
  return String(body.next)
}

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-articles-"))
  const program = await Built.bundle("bench/server/Program.ts")
  const ours = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  const least = await Load.serve([bare])
  try {
    const cursor = await middle(ours.url)
    const rates = await Load.alternate(
      {
        first: { url: `${ours.url}/articles?cursor=` },
        next: { url: `${ours.url}/articles?cursor=${cursor}` },
        page: { url: `${ours.url}/articles` },
        bare: { url: `${least.url}/hello` }
      },
      quick ? 1 : 25,
      { connections: 32, seconds: 1 }
    )
    const row = (subject: string, name: "first" | "next" | "page", bar: number | undefined): Row => ({
      subject: `${subject} / bare node:http`,
      ...compared(rates, name, "bare"),
      unit: "responses/s",
      bar
    })
    return [
      row("/articles?cursor= at its start", "first", 0.3),
      row("/articles?cursor= further on", "next", 0.3),
      row("/articles by page, with its count", "page", undefined)
    ]
  } finally {
    await Promise.all([ours.stop(), least.stop()])
    rmSync(storage, { recursive: true, force: true })
  }
}
