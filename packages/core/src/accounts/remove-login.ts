import type { AccountActor } from './account.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { LoginStore } from './login-store.ts';
import { NoLogin } from './sign-on-errors.ts';

export interface RemoveLoginDeps {
  readonly identityProvider: Pick<IdentityProvider, 'issuer'> | null;
  readonly logins: Pick<LoginStore, 'unbind'>;
}

/**
 * Removes the login by which an account signs in at the identity provider.
 *
 * @throws NoLogin, LastSignIn; StoreUnavailable
 */
export async function removeLogin(
  { identityProvider, logins }: RemoveLoginDeps,
  actor: AccountActor,
): Promise<void> {
  const isRemoved =
    identityProvider !== null && (await logins.unbind(identityProvider.issuer, actor));
  if (!isRemoved) throw new NoLogin();
}
