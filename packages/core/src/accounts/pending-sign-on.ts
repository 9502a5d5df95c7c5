import type { SignOnSecrets } from './identity-provider.ts';
import type { Sealer } from '../secrets/secret-box.ts';

/** A person has to complete a sign-in at the provider within this time, in seconds. */
export const SIGN_ON_SECONDS = 600;

/** The effect of a completed sign-in at the provider. */
export type SignOnPurpose =
  | { readonly kind: 'sign-in' }
  /** Binds the login to the account that was signed in at the beginning, if that session still lasts. */
  | { readonly kind: 'bind'; readonly accountId: string; readonly sessionId: number }
  /** Accepts an invitation, of whose token this is the hash in base64url. */
  | { readonly kind: 'invitation'; readonly hash: string };

/** A sign-in at the provider that a browser has begun. The browser keeps it, sealed. */
export interface PendingSignOn extends SignOnSecrets {
  readonly purpose: SignOnPurpose;
}

type Sealed = PendingSignOn & { readonly expiresAt: number };

/** @throws NoSecretKey */
export function sealPending(sealer: Sealer, pending: PendingSignOn): string {
  const sealed: Sealed = { ...pending, expiresAt: Date.now() + SIGN_ON_SECONDS * 1_000 };
  return sealer.seal(JSON.stringify(sealed));
}

/** Returns null if the text was not sealed by this installation, or has expired. @throws NoSecretKey */
export function openPending(sealer: Sealer, text: string): PendingSignOn | null {
  const opened = sealer.open(text);
  if (opened === null) return null;
  const { expiresAt, ...pending } = JSON.parse(opened) as Sealed;
  return Date.now() < expiresAt ? pending : null;
}
