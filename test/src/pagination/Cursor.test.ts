import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"

const scalar = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.boolean()
)

const token = (values: ReadonlyArray<unknown>): string => Either.getOrThrow(Cursor.encode(values))
const raw = (text: string): string => Buffer.from(text).toString("base64url")
const refusal = (text: string, arity: number): Cursor.InvalidCursor["problem"] | undefined =>
  Either.match(Cursor.decode(text, arity), { onLeft: (error) => error.problem, onRight: () => undefined })

// What a number and a bigint have in common: the value they stand for.
const value = (scalar: unknown): unknown => (typeof scalar === "number" && scalar === 0 ? 0 : scalar)
const same = (left: unknown, right: unknown): boolean =>
  typeof left === typeof right ? Object.is(value(left), value(right)) : left == right

describe("Cursor", () => {
  it("is the unpadded base64url of a JSON array", () => {
    expect(token(["Bob", 7])).toBe("WyJCb2IiLDdd")
    expect(Either.getOrThrow(Cursor.decode("WyJCb2IiLDdd", 2))).toEqual(["Bob", 7])
  })

  it.prop(
    "spells every list of scalars as JSON",
    [fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true })))],
    ([values]) => {
      expect(JSON.parse(Buffer.from(token(values), "base64url").toString())).toEqual(JSON.parse(JSON.stringify(values)))
    }
  )

  it.prop("gives back what it was made of", [fc.array(scalar, { maxLength: 5 })], ([values]) => {
    const back = Either.getOrThrow(Cursor.decode(token(values), values.length))
    expect(back.length).toBe(values.length)
    for (const [index, scalar] of values.entries()) expect(same(back[index], scalar)).toBe(true)
  })

  it("keeps every digit of a 64-bit integer", () => {
    const values = [9223372036854775807n, -9223372036854775808n, 9007199254740993n]
    expect(Either.getOrThrow(Cursor.decode(token(values), 3))).toEqual(values)
  })

  it("keeps a number past 2^53 that JSON writes with fewer digits than it has", () => {
    const [back] = Either.getOrThrow(Cursor.decode(token([-20412578711952112]), 1))
    expect(back).toBe(-20412578711952112n)
    expect(Either.getOrThrow(Cursor.decode(token([2 ** 63, -(2 ** 63), 1e300]), 3))).toEqual([
      2 ** 63,
      -(2 ** 63),
      1e300
    ])
  })

  it("does not take digits inside a text for an integer", () => {
    const values = ['9223372036854775807,"\\', "[9223372036854775807]", 9007199254740993n]
    expect(Either.getOrThrow(Cursor.decode(token(values), 3))).toEqual(values)
  })

  it("keeps a timestamp's microseconds", () => {
    const values = ["2024-02-29T23:59:59.999999Z"]
    expect(Either.getOrThrow(Cursor.decode(token(values), 1))).toEqual(values)
  })

  it.each([null, undefined, Number.NaN, Infinity, {}, [], new Date(0), Symbol("x"), 2n ** 63n, -(2n ** 63n) - 1n])(
    "refuses to encode %s",
    (value) => {
      expect(Either.getLeft(Cursor.encode(["a", value]))).toMatchObject({
        value: { _tag: "InvalidCursor", problem: "value", detail: "value 2" }
      })
    }
  )

  it.each([
    ["padding", "WyJCb2IiLDdd=", "alphabet"],
    ["a space", "WyJCb2IiLDdd ", "alphabet"],
    ["a line break at the end", "WyJCb2IiLDdd\n", "alphabet"],
    ["the other base64 alphabet", "+/+/", "alphabet"],
    ["a letter outside ASCII", "WyJCb2IiLDddä", "alphabet"],
    ["no JSON", raw("[1,"), "content"],
    ["an object", raw('{"0":1,"1":2}'), "content"],
    ["a scalar", raw("7"), "content"],
    ["nothing", raw(""), "content"],
    ["null inside", raw("[null,7]"), "value"],
    ["a list inside", raw("[[1],7]"), "value"],
    ["an object inside", raw('[{"a":1},7]'), "value"],
    ["white space", raw("[1, 7]"), "spelling"],
    ["another spelling of a number", raw("[1.0,7]"), "spelling"],
    ["a needless escape", raw('["\\u0042ob",7]'), "spelling"],
    ["a negative zero", raw("[-0,7]"), "spelling"],
    ["a number past every bound", raw("[1e999,7]"), "spelling"],
    [
      "bytes that are no UTF-8",
      Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x2c, 0x37, 0x5d]).toString("base64url"),
      "spelling"
    ],
    ["bits after the end", "WyJCb2IiLDde", "content"],
    ["a single letter left over", "WyJCb2IiLDddA", "spelling"],
    ["too few values", raw("[7]"), "arity"],
    ["too many values", raw("[1,2,3]"), "arity"],
    ["a nest", raw(`${"[".repeat(50_000)}${"]".repeat(50_000)}`), "value"]
  ])("refuses %s", (_name, text, problem) => {
    expect(refusal(text, 2)).toBe(problem)
  })

  it.prop(
    "has one spelling: a token with one bit changed is refused or stands for itself",
    [fc.array(scalar, { minLength: 1, maxLength: 3 }), fc.nat()],
    ([values, place]) => {
      const bytes = Buffer.from(token(values), "latin1")
      const bit = place % (bytes.length * 8)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const changed = bytes.toString("latin1")
      const decoded = Cursor.decode(changed, values.length)
      expect(Either.isLeft(decoded) || token(decoded.right) === changed).toBe(true)
    }
  )

  it.prop("never throws, whatever it is given", [fc.string({ unit: "binary" }), fc.nat(5)], ([text, arity]) => {
    expect(Either.isEither(Cursor.decode(text, arity))).toBe(true)
    expect(Either.isEither(Cursor.decode(raw(text), arity))).toBe(true)
    expect(Either.isEither(Cursor.decode(raw(`[${text}]`), arity))).toBe(true)
  })

  it("says what is wrong and what to do, and is a response of 400", () => {
    const error = Either.getOrThrow(Either.flip(Cursor.decode(raw("[7]"), 2)))
    expect(error.message).toBe(
      "The cursor is not valid: it holds 1 value where this list is ordered by 2 columns. Take it from the previous response, or leave it empty to start."
    )
    expect(error[ErrorResponse.symbol]).toMatchObject({ status: 400, message: error.message })
  })
})
