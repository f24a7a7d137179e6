import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as LinkPolicy from "../../../src/auth/internal/providers/LinkPolicy.ts"
import { AccountId } from "../../../src/session/Identity.ts"

const [ann, bob] = [AccountId.make("ann"), AccountId.make("bob")]
const email = "ann@example.com"
const unusable = { _tag: "Unusable" } as const
const told = { _tag: "Usable", email, isAuthoritative: false } as const
const proved = { _tag: "Usable", email, isAuthoritative: true } as const

const account = fc.constantFrom(ann, bob)
const facts: fc.Arbitrary<LinkPolicy.Facts> = fc.record({
  linked: fc.option(account, { nil: undefined }),
  address: fc.constantFrom<LinkPolicy.Address>(unusable, told, proved),
  holder: fc.option(fc.record({ user: account, isProved: fc.boolean(), hasOther: fc.boolean() }), { nil: undefined })
})

describe("LinkPolicy", () => {
  it.each<readonly [string, LinkPolicy.Facts, LinkPolicy.Outcome]>([
    [
      "a linked identity signs in, whatever its address says",
      { linked: ann, address: proved, holder: { user: bob, isProved: true, hasOther: false } },
      { _tag: "SignIn", user: ann }
    ],
    [
      "an unknown one without a usable address is asked for one",
      { linked: undefined, address: unusable, holder: undefined },
      { _tag: "AskAddress" }
    ],
    [
      "a free address signs up, unproved",
      { linked: undefined, address: told, holder: undefined },
      { _tag: "SignUp", email, isProved: false }
    ],
    [
      "a free address of an authoritative provider signs up, proved",
      { linked: undefined, address: proved, holder: undefined },
      { _tag: "SignUp", email, isProved: true }
    ],
    [
      "an address that has an account connects after one sign-in, also where it is proved",
      { linked: undefined, address: told, holder: { user: bob, isProved: true, hasOther: false } },
      { _tag: "Connect", user: bob }
    ],
    [
      "an authoritative one is linked at once to a proved account",
      { linked: undefined, address: proved, holder: { user: bob, isProved: true, hasOther: false } },
      { _tag: "Link", user: bob, isReset: false }
    ],
    [
      "an authoritative one takes an unproved account as a reset does",
      { linked: undefined, address: proved, holder: { user: bob, isProved: false, hasOther: false } },
      { _tag: "Link", user: bob, isReset: true }
    ],
    [
      "an address that another subject of the issuer had connects after one sign-in, also where it is authoritative",
      { linked: undefined, address: proved, holder: { user: bob, isProved: true, hasOther: true } },
      { _tag: "Connect", user: bob }
    ],
    [
      "an identity that somebody has left on an unproved account does not keep its owner out",
      { linked: undefined, address: proved, holder: { user: bob, isProved: false, hasOther: true } },
      { _tag: "Link", user: bob, isReset: true }
    ]
  ])("%s", (_name, given, outcome) => {
    expect(LinkPolicy.decide(given)).toEqual(outcome)
  })

  it("never reaches an account that the identity is not linked to without authority over its domain", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const outcome = LinkPolicy.decide(given)
        if (outcome._tag === "SignIn") return void expect(outcome.user).toBe(given.linked)
        expect(given.linked).toBeUndefined()
        if (outcome._tag !== "Link") return
        expect(given.address).toEqual(proved)
        expect(outcome).toMatchObject({ user: given.holder?.user, isReset: given.holder?.isProved === false })
      })
    )
  })

  it("never links a second subject of an issuer to a proved account", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { holder } = given
        const outcome = LinkPolicy.decide(given)
        if (outcome._tag !== "Link" || holder?.hasOther !== true) return
        expect([holder.isProved, outcome.isReset]).toEqual([false, true])
      })
    )
  })

  it("never signs up with an address that has an account, nor proves one without authority", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const outcome = LinkPolicy.decide(given)
        if (outcome._tag !== "SignUp") return
        expect(given.holder).toBeUndefined()
        expect(outcome.isProved).toBe(given.address._tag === "Usable" && given.address.isAuthoritative)
      })
    )
  })
})
