import { getDocsContract } from '@sightline/contracts/discovery/get-docs-contract';
import { DOCS_HEADERS, DOCS_PAGE } from '../../docs/docs-page.ts';
import { defineRoute } from '../../http/define-route.ts';

export const getDocsRoute = defineRoute(getDocsContract, {
  handler() {
    return { status: 200, body: DOCS_PAGE, headers: DOCS_HEADERS };
  },
});
