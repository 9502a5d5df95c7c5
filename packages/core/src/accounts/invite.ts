import { effectiveSettings } from '../settings/effective-settings.ts';
import type { SystemSettings } from '../settings/settings-store.ts';
import { type MemberRole, normalizeEmail } from './account.ts';
import type { Invitation, InvitationStore } from './invitation-store.ts';
import type { MemberActor } from './member-store.ts';
import { createToken } from './secret-token.ts';

export interface CreatedInvitation extends Invitation {
  /** The secret by which the invited person accepts. It is not stored, so it cannot be shown again. */
  readonly token: string;
}

export interface InviteDeps {
  readonly invitations: Pick<InvitationStore, 'invite'>;
  readonly systemSettings: Pick<SystemSettings, 'all'>;
}

/**
 * Invites the person with an e-mail address to an environment.
 *
 * @throws NotFound, Forbidden, MemberExists, TooManyInvitations; StoreUnavailable
 */
export async function invite(
  { invitations, systemSettings }: InviteDeps,
  actor: MemberActor,
  { email, role }: { readonly email: string; readonly role: MemberRole },
): Promise<CreatedInvitation> {
  const { token, hash } = createToken();
  const { invitationsOfNewAccounts: mayCreate } = effectiveSettings(await systemSettings.all());
  const invited = { email: normalizeEmail(email), role, hash, mayCreate };
  const invitation = await invitations.invite(actor, invited);
  return { ...invitation, token };
}
