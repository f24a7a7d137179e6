// Passwords that everyone tries first.

const common: ReadonlySet<string> = new Set(["password", "12345678", "123456789", "1234567890", "qwertyuiop"])

/** Whether the password is among the most common ones, in any case. */
export const isCommon = (password: string): boolean => common.has(password.toLowerCase())
