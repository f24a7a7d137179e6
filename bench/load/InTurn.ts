// Requests that differ, so that no cache of a page or a row helps: a file of them, which the load asks one after the other.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Request {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

const line = ({ headers = {}, path }: Request): string =>
  [path, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\t")

/** The path of a file with these requests, for `requests` of a target. */
export const file = (requests: ReadonlyArray<Request>): string => {
  const path = join(mkdtempSync(join(tmpdir(), "bench-requests-")), "requests.txt")
  writeFileSync(path, `${requests.map(line).join("\n")}\n`)
  return path
}
