INSERT INTO linked_identities (issuer, subject, user_id, provider, label, created_at, last_used)
SELECT
  CASE account."providerId" WHEN 'google' THEN 'https://accounts.google.com' ELSE 'https://github.com/login/oauth' END,
  account."accountId", account."userId", account."providerId", person.email,
  CAST(extract(epoch FROM account."createdAt") AS BIGINT), NULL
FROM account
JOIN "user" person ON person.id = account."userId"
WHERE account."providerId" IN ('google', 'github')
ON CONFLICT (issuer, subject) DO NOTHING;
