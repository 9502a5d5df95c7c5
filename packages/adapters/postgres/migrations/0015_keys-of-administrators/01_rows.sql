-- A key that an administrator made is one, also if another account takes it over, but only of an administrator.
UPDATE keys SET is_admin = true FROM accounts
WHERE accounts.id = keys.created_by AND accounts.is_admin AND keys."right" = 'full' AND NOT keys.is_admin;
