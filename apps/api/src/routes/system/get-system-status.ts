import { getSystemStatusContract } from '@sightline/contracts/system/get-system-status-contract';
import { defineRoute } from '../../http/define-route.ts';

export const getSystemStatusRoute = defineRoute(getSystemStatusContract, {
  handler: async ({ systemStatus }) => ({ status: 200, body: await systemStatus() }),
});
