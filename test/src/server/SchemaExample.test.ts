import { OpenApiJsonSchema } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { FastCheck, Option, Schema } from "effect"
import * as SchemaExample from "../../../src/server/internal/SchemaExample.ts"
import type { JsonSchema } from "../../../src/server/internal/ApiDocument.ts"

const ajv = new Ajv2020({ strict: false, validateFormats: false })

// Without the names that Effect gives to `unknown`, as in the document.
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === "$id" ? undefined : part)))

const exampleOf = (schema: Schema.Schema.Any) => {
  const schemas: Record<string, OpenApiJsonSchema.JsonSchema> = {}
  const made = plain(OpenApiJsonSchema.makeWithDefs(Schema.make(schema.ast), { defs: schemas }))
  const known = plain(schemas)
  return { made, known, example: SchemaExample.make(made, known) }
}

const isValid = (value: unknown, schema: JsonSchema, known: object): boolean =>
  ajv.validate({ ...schema, components: { schemas: known } }, value)

const leaves = {
  text: Schema.String,
  short: Schema.String.pipe(Schema.maxLength(3)),
  long: Schema.String.pipe(Schema.minLength(50)),
  whole: Schema.Int,
  positive: Schema.Number.pipe(Schema.positive()),
  between: Schema.Number.pipe(Schema.between(0.1, 0.2)),
  negative: Schema.Int.pipe(Schema.lessThan(-3)),
  even: Schema.Number.pipe(Schema.multipleOf(4), Schema.greaterThan(4)),
  flag: Schema.Boolean,
  nothing: Schema.Null,
  choice: Schema.Literal("a", "b"),
  date: Schema.DateFromString,
  number: Schema.NumberFromString,
  unknown: Schema.Unknown,
  tuple: Schema.Tuple(Schema.String, Schema.Number),
  several: Schema.Array(Schema.String).pipe(Schema.minItems(2)),
  record: Schema.Record({ key: Schema.String, value: Schema.Number }),
  stated: Schema.String.annotations({ examples: ["stated"], pattern: "^stated$" })
} as const satisfies Readonly<Record<string, Schema.Schema.Any>>

interface Tree {
  readonly name: string
  readonly children: ReadonlyArray<Tree>
}

const Tree: Schema.Schema<Tree> = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend(() => Tree))
}).annotations({ identifier: "Tree" })

describe("The example of a schema", () => {
  it.each(Object.entries(leaves))("%s: the schema accepts it", (_, schema) => {
    const { example, known, made } = exampleOf(schema)
    expect(Option.isSome(example)).toBe(true)
    if (Option.isSome(example)) expect(isValid(example.value, made, known), JSON.stringify([example, made])).toBe(true)
  })

  it("is decoded by the schema that describes its text", () => {
    const date = Option.getOrThrow(exampleOf(Schema.DateFromString).example)
    expect(Schema.decodeUnknownSync(Schema.DateFromString)(date).getTime()).toBeGreaterThan(0)
    expect(Schema.decodeUnknownSync(Schema.NumberFromString)(Option.getOrThrow(exampleOf(leaves.number).example))).toBe(
      1
    )
  })

  it("ends for a schema that contains itself", () => {
    const { example, known, made } = exampleOf(Tree)
    expect(Option.isSome(example) && isValid(example.value, made, known)).toBe(true)
  })

  it("is none for a pattern, or where a required part has none", () => {
    expect(exampleOf(Schema.String.pipe(Schema.pattern(/^[a-z]\d$/))).example).toEqual(Option.none())
    expect(exampleOf(Schema.Struct({ code: Schema.String.pipe(Schema.pattern(/^x$/)) })).example).toEqual(Option.none())
    const optional = Schema.Struct({ code: Schema.optional(Schema.String.pipe(Schema.pattern(/^x$/))) })
    expect(exampleOf(optional).example).toEqual(Option.some({}))
  })

  it("is accepted, for structs, unions and lists of any of these", () => {
    const leaf = FastCheck.constantFrom<Schema.Schema.Any>(...Object.values(leaves))
    const schema = FastCheck.letrec<{ readonly node: Schema.Schema.Any }>((tie) => ({
      node: FastCheck.oneof(
        { maxDepth: 3 },
        leaf,
        FastCheck.dictionary(FastCheck.stringMatching(/^[a-z]{1,5}$/), tie("node"), { maxKeys: 4 }).map(
          (fields): Schema.Schema.Any => Schema.Struct(fields)
        ),
        FastCheck.array(tie("node"), { minLength: 1, maxLength: 3 }).map((all): Schema.Schema.Any =>
          Schema.Union(...all)
        ),
        tie("node").map((item): Schema.Schema.Any => Schema.Array(item))
      )
    })).node
    FastCheck.assert(
      FastCheck.property(schema, (given) => {
        const { example, known, made } = exampleOf(given)
        if (Option.isSome(example) && !isValid(example.value, made, known)) {
          throw new Error(`${JSON.stringify(made)} refuses ${JSON.stringify(example.value)}`)
        }
      })
    )
  })
})
