import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck, Inspectable, Redacted } from "effect"
import { Address, parseAddress, MailMessage, Line } from "../../../src/mail/MailMessage.ts"
import { parseSender } from "../../../src/mail/internal/MailSettings.ts"

const reasonOf = (text: string) => Either.getOrUndefined(Either.flip(parseAddress(text)))?.reason

describe("address", () => {
  it.each([
    "a@b",
    "no-reply@localhost",
    "o'neil+x@mail.example.com",
    "a.b..c@docomo.example",
    "gr\u00fc\u00df@example.com"
  ])("takes %s as it is", (text) => {
    expect(Either.getOrThrow(parseAddress(text))).toBe(text)
  })

  it("writes a domain beyond ASCII the way mail servers know it", () => {
    expect(Either.getOrThrow(parseAddress("jos\u00e9@b\u00fccher.example"))).toBe("jos\u00e9@xn--bcher-kva.example")
  })

  it.each([
    ["a@b.example\r\nBcc: c@d.example", "holds a control character"],
    ["a@b.example\nX: y", "holds a control character"],
    ["a\0@b.example", "holds a control character"],
    ["a\u202e@b.example", "holds a control character"],
    ["a@b.example,c@d.example", "has a character in its name that would need quoting"],
    ["a,c@d.example", "has a character in its name that would need quoting"],
    ["a@b.example,c", "has no domain name after the @"],
    ['"c@d.example x"@b.example', "has a character in its name that would need quoting"],
    ["a <c@d.example>", "has a character in its name that would need quoting"],
    ["<a@b.example>", "has a character in its name that would need quoting"],
    ["a b@c.example", "has a character in its name that would need quoting"],
    ["a(b)@c.example", "has a character in its name that would need quoting"],
    ["a@[127.0.0.1]", "has no domain name after the @"],
    ["a@127.0.0.1", "has no domain name after the @"],
    ["a@b..example", "has no domain name after the @"],
    ["a@-b.example", "has no domain name after the @"],
    ["a@b.example.", "has no domain name after the @"],
    ["@b.example", "has no name before an @"],
    ["ab.example", "has no name before an @"],
    ["", "has no name before an @"],
    [`${"a".repeat(65)}@b.example`, "has a name longer than 64 octets"],
    [`a@${"b".repeat(64)}.example`, "has a domain label longer than 63 octets"],
    [`a@${"b.".repeat(130)}example`, "is longer than 254 octets"]
  ])("refuses %j", (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it("lets through nothing that ends a header or names a second recipient, whatever the text", () => {
    const unit = FastCheck.oneof(
      FastCheck.constantFrom("\r", "\n", "\0", ",", ";", "<", ">", '"', "@", ".", "a", " "),
      FastCheck.string()
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(unit, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("")
        const found = parseAddress(`a${text}@b.example`)
        return Either.isLeft(found) || /^[^\p{C}\s,;<>"()[\]\\:@]+@[a-z0-9.-]+$/u.test(found.right)
      }),
      { numRuns: 2000 }
    )
  })

  it("keeps what it refused out of its message", () => {
    const error = Either.getOrThrow(Either.flip(parseAddress("secret\r\nX: y@b.example")))
    expect(error.message).toBe("The address holds a control character")
  })
})

describe("Message", () => {
  it("shows neither its text nor its HTML when it is printed", () => {
    const message = new MailMessage({
      to: Address.make("a@b.example"),
      subject: Line.make("Hello"),
      text: Redacted.make("https://x/verify/s/v"),
      html: Redacted.make("https://x/verify/s/v")
    })
    expect(Inspectable.toStringUnknown(message) + JSON.stringify(message) + String(message)).not.toContain("verify")
  })

  it.each(["a\r\nBcc: b@c.example", "a\nb", "a\u2028b", "a\0b"])("refuses the subject %j", (subject) => {
    expect(() => Line.make(subject)).toThrow("one line")
  })
})

describe("sender", () => {
  it.each([
    ["no-reply@example.com", "", "no-reply@example.com"],
    ["Example <no-reply@example.com>", "Example", "no-reply@example.com"],
    ['"Example, Inc." <no-reply@example.com>', "Example, Inc.", "no-reply@example.com"]
  ])("reads %s", (text, name, from) => {
    expect(parseSender(text)).toMatchObject({ name, address: from })
  })

  it.each(["", "Example", "Example <>", "a@b.example <c@d.example", "A\r\nX: y <a@b.example>", "<a@b.example> b"])(
    "refuses %j",
    (text) => {
      expect(parseSender(text)).toBeUndefined()
    }
  )
})
