// How often each route may be asked: by one client, and for one account whoever asks.
import type { Rule } from "./RateLimit.ts"

const rule = (scope: string, limit: number, seconds: number): Rule => ({ scope, limit, window: `${seconds} seconds` })

/** 5 sign-ups of one client in 10 minutes. */
export const register = rule("register", 5, 600)

/** 5 sign-ins of one client in a minute, right or wrong. */
export const login = rule("login", 5, 60)

/** 10 confirmation links opened by one client in a minute. */
export const verify = rule("verify", 10, 60)

/** 3 more confirmation letters for one client in 10 minutes. */
export const resend = rule("resend", 3, 600)

/** 3 recovery letters asked for by one client in 10 minutes. */
export const forgot = rule("forgot", 3, 600)

/** 5 new passwords by recovery link from one client in 10 minutes. */
export const reset = rule("reset", 5, 600)

/** 5 password changes of one client in a minute, right or wrong. */
export const password = rule("password", 5, 60)

// Many addresses must not grind one account, nor fill one mailbox.

/** 30 sign-ins to one account in 10 minutes, from wherever. */
export const loginPerAccount = rule("login.account", 30, 600)

/** 3 more confirmation letters to one account in 10 minutes. */
export const resendPerAccount = rule("resend.account", 3, 600)

/** 3 recovery letters to one account in 10 minutes. */
export const forgotPerAccount = rule("forgot.account", 3, 600)
