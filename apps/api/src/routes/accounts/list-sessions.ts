import { listSessionsContract } from '@sightline/contracts/accounts/list-sessions-contract';
import { defineRoute } from '../../http/define-route.ts';

export const listSessionsRoute = defineRoute(listSessionsContract, {
  async handler({ sessions }, { session, signal }) {
    const items = await sessions.list(session.account.id, signal);
    return {
      status: 200,
      body: {
        items: items.map(({ id, createdAt, lastUsedAt, address, userAgent }) => ({
          id,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
          address,
          user_agent: userAgent,
          current: id === session.id,
        })),
      },
    };
  },
});
