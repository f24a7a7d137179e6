import { describe, expect, it } from "@effect/vitest"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotEncoder from "../../../src/observability/internal/snapshot/SnapshotEncoder.ts"

describe("the encoder", () => {
  it("writes further members before the metrics", () => {
    expect(JSON.parse(SnapshotEncoder.encode(Snapshot.make(0, []), { origin: { id: "x" } })).origin).toEqual({
      id: "x"
    })
  })
})
