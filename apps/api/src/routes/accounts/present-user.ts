import type { Account } from '@sightline/core/accounts/account';

export function presentUser(account: Account) {
  return {
    id: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    name: account.name,
    is_admin: account.isAdmin,
    disabled: account.isDisabled,
    must_change_password: account.passwordBy !== 'owner',
    created_at: account.createdAt.toISOString(),
  };
}

export function presentProfile(account: Account) {
  return {
    ...presentUser(account),
    locale: account.locale,
    default_environment_id: account.defaultEnvironmentId,
  };
}
