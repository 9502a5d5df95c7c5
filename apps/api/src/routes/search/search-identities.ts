import type { FoundIdentity } from '@sightline/contracts/search/search-identities-contract';
import { searchIdentitiesContract } from '@sightline/contracts/search/search-identities-contract';
import type { FoundName } from '@sightline/core/identities/name-search';
import { requireSearchText } from '@sightline/core/identities/search-text';
import { cropUrl } from '@sightline/presentation/media-url';
import type { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

export const searchIdentitiesRoute = defineRoute(searchIdentitiesContract, {
  async handler({ database }, { query, scope, signal }) {
    const { type, limit } = query;
    const text = requireSearchText(query.q);
    const found = await database.withScope(
      scope,
      ({ names }) => names.find({ text, type, limit }),
      signal,
    );
    return { status: 200, body: { items: found.map(presentFound) } };
  },
});

function presentFound(found: FoundName): z.input<typeof FoundIdentity> {
  const { thumbnail } = found;
  return {
    identity_id: found.identityId,
    type: found.type,
    label: found.label,
    similarity: found.similarity,
    thumbnail_url: thumbnail && cropUrl(thumbnail.detectionId, thumbnail.cropKey),
  };
}
