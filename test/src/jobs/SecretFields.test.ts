import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import { hasSecrets } from "../../../src/jobs/internal/SecretFields.ts"

interface Made {
  readonly schema: Schema.Schema.AnyNoContext
  readonly secret: boolean
}

const leaves = fc.constantFrom<Made>(
  { schema: Schema.String, secret: false },
  { schema: Schema.Date, secret: false },
  { schema: Schema.Literal("a", "b"), secret: false },
  { schema: Schema.Redacted(Schema.String), secret: true },
  { schema: Schema.RedactedFromSelf(Schema.Number), secret: true },
  { schema: Schema.Redacted(Schema.String).annotations({ identifier: "Password" }), secret: true }
)

const around: ReadonlyArray<(schema: Schema.Schema.AnyNoContext) => Schema.Schema.AnyNoContext> = [
  (schema) => Schema.Struct({ plain: Schema.Number, schema }),
  (schema) => Schema.Struct({ schema: Schema.optional(schema) }),
  (schema) => Schema.Struct({ schema: Schema.optionalWith(schema, { as: "Option" }) }),
  Schema.Array,
  (schema) => Schema.Tuple([Schema.String], schema),
  (schema) => Schema.Union(Schema.Number, schema),
  (value) => Schema.Record({ key: Schema.String, value }),
  (value) => Schema.HashMap({ key: Schema.String, value }),
  Schema.NullOr,
  Schema.Option,
  (schema) => Schema.Struct({ schema }).pipe(Schema.filter(() => true)),
  (schema) => Schema.suspend(() => schema),
  (schema) => Schema.parseJson(schema),
  (schema) => {
    class Held extends Schema.Class<Held>("Held")({ schema }) {}
    return Held
  }
]

const { made } = fc.letrec<{ made: Made }>((tie) => ({
  made: fc.oneof(
    { depthSize: "small" },
    leaves,
    fc
      .tuple(tie("made"), fc.constantFrom(...around))
      .map(([{ schema, secret }, wrap]) => ({ schema: wrap(schema), secret })),
    fc.tuple(tie("made"), tie("made")).map(([one, two]) => ({
      schema: Schema.Struct({ one: one.schema, two: two.schema }),
      secret: one.secret || two.secret
    }))
  )
}))

describe("The secrets of a payload", () => {
  it("are found in any schema, at any depth", () => {
    fc.assert(fc.property(made, ({ schema, secret }) => hasSecrets(schema) === secret))
  })

  it("are found in a schema that holds itself", () => {
    interface Tree {
      readonly leaves: ReadonlyArray<Tree>
    }
    const Tree: Schema.Schema<Tree> = Schema.Struct({ leaves: Schema.Array(Schema.suspend(() => Tree)) })
    expect(hasSecrets(Tree)).toBe(false)
    expect(hasSecrets(Schema.Struct({ tree: Tree, key: Schema.Redacted(Schema.String) }))).toBe(true)
  })
})
