import { listOperationItemsContract } from '@sightline/contracts/operations/list-operation-items-contract';
import { groupItems } from '@sightline/core/curation/plan-undo';
import type { ChangedSubject, Subject } from '@sightline/core/operations/operation';
import { NotFound } from '@sightline/core/store/not-found';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentPage } from '../../http/read-list.ts';

const Cursor = z
  .tuple([z.literal('operation-items'), z.enum(['detection', 'identity', 'image']), z.int()])
  .transform(([, kind, id]): Subject => ({ kind, id }));

/** The values that people decide. Rows that were deleted are stored with all their columns. */
const SHOWN: Readonly<Record<Subject['kind'], readonly string[]>> = {
  detection: ['identity_id', 'review_status', 'decided_by', 'dismissed_at', 'mismatch_reviewed'],
  identity: ['label', 'external_ref', 'cover_detection_id'],
  image: [],
};

export const listOperationItemsRoute = defineRoute(listOperationItemsContract, {
  async handler({ database }, { path: { id }, query, scope, signal }) {
    const after = decodeCursor(Cursor, query.cursor);
    const page = await database.withScope(
      scope,
      async ({ operations }) => {
        if ((await operations.byId(id)) === null) throw new NotFound('operation', id);
        const subjects = await operations.subjects(id, { after, limit: query.limit });
        const items = groupItems(await operations.items(id, subjects.items));
        const changed = new Map(items.map((subject) => [`${subject.kind} ${subject.id}`, subject]));
        const withItems = subjects.items.map(
          (subject) => changed.get(`${subject.kind} ${subject.id}`) ?? { ...subject, items: [] },
        );
        return { ...subjects, items: withItems };
      },
      signal,
    );
    const body = presentPage(
      {
        positionOf: ({ kind, id: subjectId }: ChangedSubject): Subject => ({ kind, id: subjectId }),
        cursorOf: (subject) => ['operation-items', subject.kind, subject.id],
        present: presentSubject,
      },
      page,
    );
    return { status: 200, body };
  },
});

function presentSubject({ kind, id, items }: ChangedSubject) {
  const row = items.find(({ part }) => part === 'row');
  const shown = (values: Readonly<Record<string, unknown>> | null | undefined) =>
    values == null
      ? null
      : Object.fromEntries(SHOWN[kind].map((name) => [name, values[name] ?? null]));
  return {
    detection_id: kind === 'detection' ? id : null,
    identity_id: kind === 'identity' ? id : null,
    image_id: kind === 'image' ? id : null,
    before: shown(row?.before),
    after: shown(row?.after),
    changed_since: items.some(({ isAsLeft }) => !isAsLeft),
  };
}
