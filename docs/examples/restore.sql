-- Browsers hold newer secrets than a restored backup, and its letters may be out already.
DELETE FROM sessions;
DELETE FROM trusts;
DELETE FROM tokens;
DELETE FROM mail_queue;
