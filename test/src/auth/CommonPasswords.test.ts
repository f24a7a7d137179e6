import { describe, expect, it } from "@effect/vitest"
import { isCommon } from "../../../src/auth/internal/passwords/CommonPasswords.ts"

describe("isCommon", () => {
  it.each(
    `password 12345678 123456789 1234567890 0987654321 qwertyuiop qwerty123 iloveyou iloveyou1 sunshine princess1 football
    baseball welcome1 letmein1 trustno1 passw0rd p@ssw0rd P@ssw0rd1! Password123 password1 superman1 starwars computer
    whatever 11111111 aaaaaaaa abcdefgh 12341234 87654321 1q2w3e4r 1qaz2wsx zaq12wsx abc12345 michelle Summer2024!
    admin123 administrator changeme monkey123 dragon12 00000000 88888888 asdfghjkl zxcvbnm123 147258369`.split(/\s+/)
  )("refuses %s", (password) => {
    expect(isCommon(password)).toBe(true)
  })

  it.each([
    "correct-horse-battery",
    "correct horse",
    "vivid plum antler",
    "Tr0ub4dor&3x",
    "kX9#mP2$vL",
    "lovely day in the park",
    "ziggurat",
    "8675309-jenny",
    "🦊🐻🐼🐨🐯🦁🐮🐷",
    "passwordless future"
  ])("takes %s", (password) => {
    expect(isCommon(password)).toBe(false)
  })
})
