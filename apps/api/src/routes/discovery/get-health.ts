import { getHealthContract } from '@sightline/contracts/discovery/get-health-contract';
import { defineRoute } from '../../http/define-route.ts';

export const getHealthRoute = defineRoute(getHealthContract, {
  handler: ({ health }) => health(),
});
