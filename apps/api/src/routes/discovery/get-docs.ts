import { getDocsContract } from '@sightline/contracts/discovery/get-docs-contract';
import { DOCS_HEADERS, DOCS_PAGE } from '../../docs/docs-page.ts';
import { defineRoute } from '../../http/define-route.ts';
import { answerDocument } from '../../http/answer-document.ts';
import { SerializedDocument } from '../../context/serialized-document.ts';

const PAGE = new SerializedDocument(DOCS_PAGE);

export const getDocsRoute = defineRoute(getDocsContract, {
  handler: (_context, { headers }) => answerDocument(PAGE, headers, DOCS_HEADERS),
});
