import { endSessionContract } from '@sightline/contracts/accounts/end-session-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';

export const endSessionRoute = defineRoute(endSessionContract, {
  async handler({ sessions, knownSessions }, { path, session }) {
    if (!(await sessions.end(session.account.id, path.id))) throw new NotFound('session', path.id);
    knownSessions.forget(path.id);
    return { status: 204, body: undefined };
  },
});
