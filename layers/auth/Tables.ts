// The tables and columns that the migrations create.

/** The table of accounts and its columns. */
export const users = {
  table: "users",
  key: "id",
  identifier: "email",
  secret: "password",
  verified: "email_verified_at",
  created: "created_at"
}

/** The table of signed-in sessions. */
export const sessions = "sessions"

/** The table of action tokens. */
export const tokens = "tokens"

/** The table of trusted devices. */
export const trusts = "trusts"

/** The table of rate-limit counters. */
export const rateLimits = "rate_limits"
