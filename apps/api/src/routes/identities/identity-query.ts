import type { listIdentitiesContract } from '@sightline/contracts/identities/list-identities-contract';
import { storableText } from '@sightline/contracts/text';
import type { Identity } from '@sightline/core/identities/identity';
import type { IdentityFilter, IdentityPosition } from '@sightline/core/identities/identity-store';
import { requireSearchText } from '@sightline/core/identities/search-text';
import { trimWhiteSpace } from '@sightline/core/trim-white-space';
import { z } from 'zod';
import type { ListOrder } from '../../http/answer-list.ts';
import { decodeCursor } from '../../http/cursor.ts';

/** The length of the longest label in UTF-16 units: 200 characters with two units each. */
const MAX_LABEL_UNITS = 400;

const Cursor = z
  .tuple([storableText(MAX_LABEL_UNITS), z.enum(['face', 'object']), z.int()])
  .transform(([label, type, id]): IdentityPosition => ({ label, type, id }));

type IdentityQuery = z.output<typeof listIdentitiesContract.request.query>;

/**
 * The filter of a list of identities. An empty `q` does not restrict the list.
 *
 * @throws InvalidSearchText if the text is too long
 */
export function filterOf({ type, q, external_ref: externalRef }: IdentityQuery): IdentityFilter {
  const name = q && trimWhiteSpace(q);
  return {
    ...(type !== undefined && { type }),
    ...(name && { name: requireSearchText(name) }),
    ...(externalRef !== undefined && { externalRef }),
  };
}

export const BY_LABEL: ListOrder<Identity, IdentityPosition> = {
  after: (cursor) => decodeCursor(Cursor, cursor),
  positionOf: (identity) => identity,
  cursorOf: ({ label, type, id }) => [label, type, id],
};
