INSERT INTO linked_identities (issuer, subject, user_id, provider, label, created_at, last_used)
SELECT
  CASE account."providerId" WHEN 'google' THEN 'https://accounts.google.com' ELSE 'https://github.com/login/oauth' END,
  account."accountId", person.id, account."providerId", person.email, person.created_at, NULL
FROM account
JOIN users person ON person.id = account."userId"
WHERE account."providerId" IN ('google', 'github')
ON CONFLICT (issuer, subject) DO NOTHING;
