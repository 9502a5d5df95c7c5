import { changeProfileContract } from '@sightline/contracts/accounts/change-profile-contract';
import { normalizeLabel } from '@sightline/core/identities/label';
import { defineRoute } from '../../http/define-route.ts';
import { presentProfile } from './present-user.ts';

export const changeProfileRoute = defineRoute(changeProfileContract, {
  async handler(context, { body, session, signal }) {
    const { accounts, identityProvider, knownSessions, logins } = context;
    const { name, locale, default_environment_id: defaultEnvironmentId } = body.fields;
    const changes = {
      ...(name !== undefined && { name: normalizeLabel(name) }),
      ...(locale !== undefined && { locale }),
      ...(defaultEnvironmentId !== undefined && { defaultEnvironmentId }),
    };
    const { id } = session.account;
    const isChange = Object.keys(changes).length > 0;
    const account = isChange ? await accounts.changeProfile(id, changes) : session.account;
    if (isChange) knownSessions.forget(session.id);
    const ways = await logins.waysOf(id, identityProvider?.issuer ?? null, signal);
    return { status: 200, body: presentProfile(account, ways) };
  },
});
