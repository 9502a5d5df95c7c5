import type { Account } from '@sightline/core/accounts/account';
import type { WaysToSignIn } from '@sightline/core/accounts/login-store';

export const WITH_PASSWORD = ['password'] as const;
export const WITH_LOGIN = ['oidc'] as const;

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

export function presentProfile(account: Account, { hasPassword, hasLogin }: WaysToSignIn) {
  return {
    ...presentUser(account),
    sign_in: [...(hasPassword ? WITH_PASSWORD : []), ...(hasLogin ? WITH_LOGIN : [])],
    locale: account.locale,
    default_environment_id: account.defaultEnvironmentId,
  };
}
