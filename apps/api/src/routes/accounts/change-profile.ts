import { changeProfileContract } from '@sightline/contracts/accounts/change-profile-contract';
import { normalizeLabel } from '@sightline/core/identities/label';
import { defineRoute } from '../../http/define-route.ts';
import { presentProfile } from './present-user.ts';

export const changeProfileRoute = defineRoute(changeProfileContract, {
  async handler({ accounts, knownSessions }, { body, session }) {
    const { name, locale, default_environment_id: defaultEnvironmentId } = body.fields;
    const changes = {
      ...(name !== undefined && { name: normalizeLabel(name) }),
      ...(locale !== undefined && { locale }),
      ...(defaultEnvironmentId !== undefined && { defaultEnvironmentId }),
    };
    if (Object.keys(changes).length === 0) {
      return { status: 200, body: presentProfile(session.account) };
    }
    const account = await accounts.changeProfile(session.account.id, changes);
    knownSessions.forget(session.id);
    return { status: 200, body: presentProfile(account) };
  },
});
