import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { type Duration, Effect, Exit, Layer, Schema } from "effect"
import * as Job from "../../../src/jobs/Job.ts"
import * as Defaults from "../../../src/jobs/internal/Defaults.ts"
import type * as Jobs from "../../../src/jobs/Jobs.ts"
import { enqueue } from "../../../src/jobs/Jobs.ts"
import * as Handlers from "../../../src/jobs/internal/Handlers.ts"

const payload = Schema.Struct({ at: Schema.Date })

describe("a job", () => {
  it("has a default for everything but its payload", () => {
    expect(Job.make("tea.make-2_x", { payload })).toMatchObject({
      name: "tea.make-2_x",
      queue: "default",
      priority: 0,
      unique: undefined,
      timeout: "10 minutes",
      transactional: false,
      erase: false
    })
    expect(Job.make("tea", { payload, transactional: true }).timeout).toBe("50 seconds")
  })

  it.each(["", "Tea", "1tea", "tea make", "té", "a".repeat(101)])("is not named %j", (name) => {
    expect(() => Job.make(name, { payload })).toThrow("A job is named in lower case")
  })

  it("that is transactional ends before its lease", () => {
    const made = (timeout: Duration.DurationInput) => Job.make("tea", { payload, transactional: true, timeout })
    expect(made("59 seconds").timeout).toBe("59 seconds")
    expect(() => made(Defaults.lease)).toThrow("must be below 1m")
  })

  it("has no secret that its row would lose", () => {
    const made = (secret: Schema.Schema.AnyNoContext) => Job.make("tea", { payload: Schema.Struct({ secret }) })
    const kept = Schema.Redacted(Schema.String)
    class Held extends Schema.Class<Held>("Held")({ kept }) {}
    interface Tree {
      readonly leaves: ReadonlyArray<Tree>
    }
    const Tree: Schema.Schema<Tree> = Schema.Struct({ leaves: Schema.Array(Schema.suspend(() => Tree)) })
    for (const secret of [kept, Schema.NullOr(kept), Held, Schema.HashMap({ key: kept, value: Tree })]) {
      expect(made(secret).hasSecrets).toBe(true)
    }
    const lost = Schema.RedactedFromSelf(Schema.String)
    class Lost extends Schema.Class<Lost>("Lost")({ lost }) {}
    for (const secret of [lost, Schema.Array(lost), Schema.OptionFromSelf(lost), Lost, Schema.Struct({ Tree, lost })]) {
      expect(() => made(secret)).toThrow(
        "of the job tea has a field of Schema.RedactedFromSelf, which JSON cannot hold"
      )
    }
  })

  it("is in the requirements of whoever enqueues it, until its handler is there", () => {
    const Tea = Job.make("tea", { payload })
    expectTypeOf(enqueue(Tea, { at: new Date() })).toExtend<
      Effect.Effect<unknown, never, Jobs.Jobs | Job.Handled<"tea">>
    >()
    // @ts-expect-error the handler of another job does not count
    const other: Layer.Layer<Job.Handled<"coffee">, never, Handlers.Handlers> = Job.toLayer(Tea, () => Effect.void)
    expect(other).toBeDefined()
  })
})

describe("its handler", () => {
  const Tea = Job.make("tea", { payload })

  it.effect("reads what was stored, and refuses another shape", () =>
    Effect.gen(function* () {
      const { find } = yield* Handlers.Handlers
      const read = find("tea")?.read ?? (() => Effect.dieMessage("no handler"))
      const run = yield* read('{"at":"2026-11-18T00:00:00.000Z"}')
      expect(yield* run({ id: "a", attempt: 2 })).toEqual([2026, 2])
      expect(Exit.isFailure(yield* Effect.exit(read('{"when":1}')))).toBe(true)
      expect(find("coffee")).toBeUndefined()
    }).pipe(
      Effect.provide(
        Job.toLayer(Tea, ({ at }, { attempt }) => Effect.succeed([at.getUTCFullYear(), attempt])).pipe(
          Layer.provideMerge(Handlers.layer)
        )
      )
    )
  )

  it.effect("is one for each job", () =>
    Effect.gen(function* () {
      const handler = () => Job.toLayer(Tea, () => Effect.void)
      const two = Layer.merge(handler(), handler()).pipe(Layer.provide(Handlers.layer))
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(two)))
      expect(String(exit)).toContain("The job tea has two handlers")
    })
  )
})
