-- Browsers hold newer secrets than a restored backup, and its e-mails may have been sent already.
DELETE FROM sessions;
DELETE FROM trusts;
DELETE FROM tokens;
DELETE FROM api_tokens;
DELETE FROM pending_sign_ins;
DELETE FROM passkey_challenges;
DELETE FROM provider_flows;
DELETE FROM factor_recoveries;
DELETE FROM notices;
DELETE FROM jobs WHERE queue = 'mail';
