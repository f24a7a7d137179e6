// Everything that can be thrown, and every text that may try to break out of where it is printed.
import { Cause, Data, Option, Redacted, Schema } from "effect"

export class Lost extends Schema.TaggedError<Lost>()("Lost", { id: Schema.Number, apiKey: Schema.String }) {
  override get message() {
    return `Order ${this.id} is lost`
  }
}

class Plain extends Data.TaggedError("Plain")<{ readonly amount: bigint }> {}

class Unnamed extends TypeError {}

const cyclic = () => {
  const error = new Error("cyclic")
  return Object.assign(error, { cause: error, self: error })
}

const ring = () => {
  const first = new Error("first")
  const second = new Error("second", { cause: first })
  return Object.assign(first, { cause: second })
}

const deep = (levels: number): Error => {
  let error = new Error("level 0")
  for (let level = 1; level < levels; level++) error = new Error(`level ${level}`, { cause: error })
  return error
}

const throwing = (key: string) =>
  Object.defineProperty(new Error("getter"), key, {
    enumerable: true,
    get: () => {
      throw new Error(`the getter of ${key}`)
    }
  })

const hostileProxy = () =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error("get")
      },
      has: () => {
        throw new Error("has")
      },
      ownKeys: () => {
        throw new Error("ownKeys")
      },
      getPrototypeOf: () => {
        throw new Error("getPrototypeOf")
      },
      getOwnPropertyDescriptor: () => {
        throw new Error("descriptor")
      }
    }
  )

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** At least fifty different things, made anew at each call. */
export const all = (): ReadonlyArray<readonly [name: string, value: unknown]> => [
  ["an error", new Error("plain")],
  ["an error without a message", new Error()],
  ["a type error", new TypeError("typed")],
  ["a range error", new RangeError("out of range")],
  ["a class that inherits its name", new Unnamed("unnamed")],
  ["a tagged error", new Lost({ id: 7, apiKey: "canary-field" })],
  ["a tagged error with a BigInt", new Plain({ amount: 10n ** 30n })],
  ["an aggregate", new AggregateError([new Error("one"), "two", 3], "many")],
  ["an aggregate of itself", Object.assign(new AggregateError([], "self"), { errors: [cyclic()] })],
  ["a cyclic error", cyclic()],
  ["a ring of causes", ring()],
  ["forty causes", deep(40)],
  ["a cause that is a string", new Error("outer", { cause: "inner" })],
  ["a cause that is null", new Error("outer", { cause: null })],
  ["a cause that is a Cause", new Error("outer", { cause: Cause.die(new Error("inner")) })],
  ["a throwing message", throwing("message")],
  ["a throwing stack", throwing("stack")],
  ["a throwing name", throwing("name")],
  ["a throwing cause", throwing("cause")],
  ["a throwing field", throwing("field")],
  ["a message that is a number", Object.assign(new Error(), { message: 42 })],
  ["a message that is a symbol", Object.assign(new Error(), { message: Symbol("m") })],
  ["a name that is an object", Object.assign(new Error("x"), { name: {} })],
  ["a stack that is a number", Object.assign(new Error("x"), { stack: 42 })],
  ["a stack that is gone", Object.assign(new Error("x"), { stack: undefined })],
  ["an error without a prototype", Object.setPrototypeOf(new Error("x"), null)],
  ["a frozen error", Object.freeze(new Error("frozen"))],
  ["a long message", new Error("x".repeat(5 * 1024 * 1024))],
  ["many lines", new Error("line\n".repeat(1000))],
  ["a string", "a string"],
  ["an empty string", ""],
  ["a number", 42],
  ["not a number", Number.NaN],
  ["minus zero", -0],
  ["a BigInt", 10n],
  ["true", true],
  ["undefined", undefined],
  ["null", null],
  ["a symbol", Symbol("s")],
  ["a function", function named() {}],
  ["an anonymous function", () => {}],
  ["a class", class Thrown {}],
  ["an object", { code: 1, nested: { password: "canary-nested" } }],
  ["an object without a prototype", Object.create(null)],
  ["an object with a tag", { _tag: "Tagged", message: "tagged" }],
  ["an array", [1, [2, [3, [4, [5]]]]]],
  ["a map", new Map([["a", 1]])],
  ["a set", new Set([1])],
  ["a date", new Date(0)],
  ["an invalid date", new Date(Number.NaN)],
  ["bytes", new Uint8Array(1000)],
  ["a promise", Promise.resolve(1)],
  ["an Option", Option.some(1)],
  ["a Redacted", Redacted.make("canary-redacted")],
  ["a hostile proxy", hostileProxy()],
  ["a revoked proxy", revoked()],
  [
    "an object with a hostile toString",
    {
      toString: () => {
        throw new Error("toString")
      }
    }
  ],
  [
    "an object with a hostile toJSON",
    {
      toJSON: () => {
        throw new Error("toJSON")
      }
    }
  ]
]

/** Texts that try to become markup, code, a control sequence, a frame or a line of their own. */
export const texts: ReadonlyArray<string> = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "</style><img src=x onerror=alert(1)>",
  "</title></pre></code></mark></td></table></main></body></html>",
  "<!--",
  "--><svg/onload=alert(1)>",
  "<![CDATA[",
  '" onmouseover="alert(1)" x="',
  "' onmouseover='alert(1)' x='",
  "javascript:alert(1)",
  "&lt;b&gt; &amp; &#60;b&#62;",
  "`${alert(1)}` ``` ```` \\",
  "{{ status }} {{ constructor }}",
  "%s %p %l %c $& $1 $`",
  "\u001B[2J\u001B[31mred\u0007",
  "\u0000\u0008\u007F\u009B31m",
  "\u202Eevil\u202C \u2066x\u2069 \u200B\uFEFF",
  "\u2028\u2029\r\n\r",
  "\uD800 lone \uDFFF",
  "x\n    at evil (/etc/passwd:1:1)\n    at evil (file:///etc/shadow:1:1)",
  '{"level":"info"}\n{"forged":true}',
  "a\tb"
]
