ALTER TABLE accounts ADD COLUMN email_verified boolean DEFAULT true NOT NULL;
-- Accounts of invitations are the authors of their own first entry in the audit.
UPDATE accounts SET email_verified = false WHERE EXISTS (
  SELECT FROM audit WHERE environment_id IS NULL AND entity_type = 'user' AND action = 'create'
    AND user_id = accounts.id AND entity_ids = ARRAY[accounts.id]);
-- An earlier release that runs beside this one creates accounts of invitations, too.
ALTER TABLE accounts ALTER COLUMN email_verified SET DEFAULT false;
