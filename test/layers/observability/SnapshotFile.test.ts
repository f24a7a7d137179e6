import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SnapshotFile from "../../../layers/observability/internal/SnapshotFile.ts"
import { encode } from "../../../src/observability/internal/snapshot/SnapshotEncoder.ts"
import { example } from "../../src/observability/Snapshots.ts"
import { folder } from "../../support/Demo.ts"

describe("a snapshot file", () => {
  it.scopedLive("is read as it was written, private to its owner and without a draft beside it", () =>
    Effect.gen(function* () {
      const directory = join(yield* folder, "metrics")
      const path = join(directory, "1.json")
      SnapshotFile.write(path, "{}")
      SnapshotFile.write(path, encode(example, {}))
      expect(SnapshotFile.read(path)?.snapshot).toEqual(example)
      expect(SnapshotFile.read(path)?.origin).toBeUndefined()
      expect(readdirSync(directory)).toEqual(["1.json"])
      expect((statSync(path).mode & 0o777).toString(8)).toBe("600")
    })
  )

  it.scopedLive("is missing or damaged", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const at = (name: string) => join(directory, name)
      writeFileSync(at("target"), encode(example, {}))
      writeFileSync(at("half"), encode(example, {}).slice(0, -9))
      symlinkSync(at("target"), at("link"))
      mkdirSync(at("folder"))
      expect(SnapshotFile.open(at("missing"))).toEqual({ _tag: "Missing" })
      expect(SnapshotFile.open(at("link"))).toEqual({ _tag: "Damaged", reason: "it is a link" })
      expect(SnapshotFile.open(at("folder"))).toEqual({ _tag: "Damaged", reason: "it is not a file" })
      expect(SnapshotFile.open(at("half"))).toMatchObject({ _tag: "Damaged" })
      expect(SnapshotFile.read(at("half"))).toBeUndefined()
    })
  )
})
