import { docsContract } from '@sightline/contracts/discovery/docs-contract';
import { DOCS_HEADERS, DOCS_PAGE } from '../docs/docs-page.ts';
import { defineRoute } from '../http/define-route.ts';

export const getDocs = defineRoute({
  ...docsContract,
  handler() {
    return { status: 200, body: DOCS_PAGE, headers: DOCS_HEADERS };
  },
});
