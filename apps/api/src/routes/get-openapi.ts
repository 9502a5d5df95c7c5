import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { openapiContract } from '@sightline/contracts/discovery/openapi-contract';
import { buildOpenApi } from '@sightline/contracts/openapi';
import { defineRoute } from '../http/define-route.ts';

export const getOpenapi = defineRoute({
  ...openapiContract,
  handler({ version }) {
    return { status: 200, body: buildOpenApi(API_CONTRACTS, version) };
  },
});
