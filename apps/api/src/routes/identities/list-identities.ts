import { listIdentitiesContract } from '@sightline/contracts/identities/list-identities-contract';
import { storableText } from '@sightline/contracts/text';
import type { Identity } from '@sightline/core/identities/identity';
import type { IdentityPosition } from '@sightline/core/identities/identity-store';
import { trimWhiteSpace } from '@sightline/core/trim-white-space';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { presentIdentity } from './present-identity.ts';

/** In UTF-16 units: two for each of 200 characters. */
const MAX_LABEL_UNITS = 400;

const Cursor = z
  .tuple([storableText(MAX_LABEL_UNITS), z.enum(['face', 'object']), z.int()])
  .transform(([label, type, id]): IdentityPosition => ({ label, type, id }));

export const listIdentitiesRoute = defineRoute(listIdentitiesContract, {
  async handler({ database }, { query, scope, signal }) {
    const { type, external_ref: externalRef, cursor, limit: count } = query;
    const name = query.q && trimWhiteSpace(query.q);
    const filter = {
      ...(type !== undefined && { type }),
      ...(name && { name }),
      ...(externalRef !== undefined && { externalRef }),
    };
    const body = await readList(
      {
        read: (after: IdentityPosition | null, limit) =>
          database.withScope(
            scope,
            ({ identities }) => identities.list(filter, { after, limit }),
            signal,
          ),
        positionOf: (identity: Identity): IdentityPosition => identity,
        cursorOf: ({ label, type, id }) => [label, type, id],
        present: presentIdentity,
      },
      { after: decodeCursor(Cursor, cursor), limit: count },
    );
    return { status: 200, body };
  },
});
