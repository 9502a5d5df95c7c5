import { type MemberRole, normalizeEmail } from './account.ts';
import type { Invitation, InvitationStore } from './invitation-store.ts';
import type { MemberActor } from './member-store.ts';
import { createToken } from './secret-token.ts';

export interface CreatedInvitation extends Invitation {
  /** The secret by which the invited person accepts. It is not stored, so it cannot be shown again. */
  readonly token: string;
}

/**
 * Invites the person with an e-mail address to an environment.
 *
 * @throws NotFound, Forbidden, MemberExists, TooManyInvitations; StoreUnavailable
 */
export async function invite(
  { invitations }: { readonly invitations: Pick<InvitationStore, 'invite'> },
  actor: MemberActor,
  { email, role }: { readonly email: string; readonly role: MemberRole },
): Promise<CreatedInvitation> {
  const { token, hash } = createToken();
  const invitation = await invitations.invite(actor, { email: normalizeEmail(email), role, hash });
  return { ...invitation, token };
}
