INSERT INTO linked_identities (issuer, subject, user_id, provider, label, created_at, last_used)
SELECT
  CASE accounts.provider WHEN 'google' THEN 'https://accounts.google.com' ELSE 'https://github.com/login/oauth' END,
  accounts."providerAccountId", person.id, accounts.provider, person.email, person.created_at, NULL
FROM accounts
JOIN users person ON person.id = CAST(accounts."userId" AS TEXT)
WHERE accounts.provider IN ('google', 'github')
ON CONFLICT (issuer, subject) DO NOTHING;
