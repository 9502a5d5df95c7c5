import { openapiContract } from '@sightline/contracts/discovery/openapi-contract';
import { defineRoute } from '../http/define-route.ts';

export const getOpenapi = defineRoute({
  ...openapiContract,
  handler({ openApi }) {
    return { status: 200, body: openApi };
  },
});
