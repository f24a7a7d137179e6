// The migrations of the framework. A new one is a file, an import and a line at the end of this list.
import type { Tables } from "../Tables.ts"
import { users } from "../migrations/0001_users.ts"
import { tokens } from "../migrations/0002_tokens.ts"
import { trusts } from "../migrations/0003_trusts.ts"
import { sessions } from "../migrations/0004_sessions.ts"
import { rateLimits } from "../migrations/0005_rate_limits.ts"
import { keys } from "../migrations/0006_keys.ts"
import { mailQueue } from "../migrations/0007_mail_queue.ts"
import { trustRotations } from "../migrations/0008_trust_rotations.ts"
import { apiTokens } from "../migrations/0009_api_tokens.ts"
import { factors } from "../migrations/0010_factors.ts"
import { securityEvents } from "../migrations/0011_security_events.ts"
import { accountChanges } from "../migrations/0012_account_changes.ts"
import { passkeys } from "../migrations/0013_passkeys.ts"
import { factorRecoveries } from "../migrations/0014_factor_recoveries.ts"
import { languages } from "../migrations/0015_languages.ts"

/** The framework's migrations by number and name. */
export const framework = (tables: Tables) => ({
  "0001_users": users(tables),
  "0002_tokens": tokens(tables),
  "0003_trusts": trusts(tables),
  "0004_sessions": sessions(tables),
  "0005_rate_limits": rateLimits(tables),
  "0006_keys": keys(tables),
  "0007_mail_queue": mailQueue(tables),
  "0008_trust_rotations": trustRotations(tables),
  "0009_api_tokens": apiTokens(tables),
  "0010_factors": factors(tables),
  "0011_security_events": securityEvents(tables),
  "0012_account_changes": accountChanges(tables),
  "0013_passkeys": passkeys(tables),
  "0014_factor_recoveries": factorRecoveries(tables),
  "0015_languages": languages(tables)
})
