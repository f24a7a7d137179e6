// How often each route may be asked: by one client, and for one account whoever asks.
import type { Rule } from "./RateLimit.ts"

const rule = (scope: string, limit: number, seconds: number): Rule => ({ scope, limit, window: `${seconds} seconds` })

export const register = rule("register", 5, 600)
export const login = rule("login", 5, 60)
export const verify = rule("verify", 10, 60)
export const resend = rule("resend", 3, 600)
export const forgot = rule("forgot", 3, 600)
export const reset = rule("reset", 5, 600)
export const password = rule("password", 5, 60)

// Many addresses must not grind one account, nor fill one mailbox.
export const loginOfAccount = rule("login.account", 30, 600)
export const resendOfAccount = rule("resend.account", 3, 600)
export const forgotOfAccount = rule("forgot.account", 3, 600)
