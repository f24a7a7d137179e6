-- Copies the people of Better Auth into the table `users`. A second run adds those that are new.
INSERT INTO users (id, email, password, email_verified_at, created_at)
SELECT
  person.id,
  lower(person.email),
  -- Without a password the person uses the reset link.
  coalesce(credential.password, ''),
  CASE WHEN person."emailVerified" THEN floor(extract(epoch FROM person."updatedAt")) END,
  floor(extract(epoch FROM person."createdAt"))
FROM "user" person
LEFT JOIN account credential ON credential."userId" = person.id AND credential."providerId" = 'credential'
ON CONFLICT (email) DO NOTHING;
