-- Addresses are compared in lower case. Two accounts that differ only in case must be merged first: this fails on them.
UPDATE accounts SET email = lower(email) WHERE email <> lower(email);
ALTER TABLE accounts ADD COLUMN email_verified_at BIGINT;
CREATE UNIQUE INDEX accounts_email ON accounts (email);
