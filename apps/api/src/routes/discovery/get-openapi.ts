import { getOpenapiContract } from '@sightline/contracts/discovery/get-openapi-contract';
import { defineRoute } from '../../http/define-route.ts';

export const getOpenapiRoute = defineRoute(getOpenapiContract, {
  handler({ openApi }) {
    return { status: 200, body: openApi };
  },
});
