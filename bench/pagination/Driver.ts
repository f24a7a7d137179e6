// Lists beside the bare driver, in a program that is bundled as a program in production is.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import * as Built from "../Built.ts"
import type { Options } from "../Options.ts"
import type { Row } from "../Row.ts"

/** Needs about two minutes and a gigabyte of disk. */
export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const program = await Built.bundle("bench/pagination/DriverPages.ts")
  const given = [program, join(import.meta.dirname, "Driver.mjs"), ...(quick ? ["--quick"] : [])]
  // A program has one database: V8 compiles for what it sees of both.
  return ["SQLite", "PostgreSQL"].flatMap((engine) => {
    const printed = execFileSync(process.execPath, [...given, engine], {
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8"
    })
    return JSON.parse(printed) as ReadonlyArray<Row>
  })
}
