import { changePasswordContract } from '@sightline/contracts/accounts/change-password-contract';
import { changePassword } from '@sightline/core/accounts/change-password';
import { defineRoute } from '../../http/define-route.ts';

export const changePasswordRoute = defineRoute(changePasswordContract, {
  async handler(context, { body, session, visitor, requestId, signal }) {
    const { current_password: current, new_password: next } = body.fields;
    const { countedAddress } = visitor;
    const change = { session, current, next, countedAddress, requestId };
    await changePassword(context, change, signal);
    context.knownSessions.forget(session.id);
    return { status: 204, body: undefined };
  },
});
