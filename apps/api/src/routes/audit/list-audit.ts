import { listAuditContract } from '@sightline/contracts/audit/list-audit-contract';
import { FIRST_TIME, LAST_TIME } from '@sightline/contracts/timestamp';
import { AdminRequired, NoEnvironment } from '@sightline/core/access/access-errors';
import type { Caller } from '@sightline/core/access/caller';
import type { AuditEntity, AuditRecord } from '@sightline/core/audit/audit-entry';
import type { AuditPosition } from '@sightline/core/audit/audit-log';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentPage } from '../../http/read-list.ts';

const Cursor = z
  .tuple([z.literal('audit'), z.int().min(FIRST_TIME).max(LAST_TIME), z.int()])
  .transform(([, at, id]): AuditPosition => ({ at: new Date(at), id }));

/** The entities whose ids are no numbers. */
const WITH_TEXT_IDS: readonly AuditEntity[] = ['user', 'member', 'setting'];

export const listAuditRoute = defineRoute(listAuditContract, {
  async handler({ audit }, { query, caller, signal }) {
    const isOfInstallation = query.scope === 'installation';
    if (isOfInstallation && caller?.isAdmin === false) {
      throw new AdminRequired('Only administrators may read the audit of the installation.');
    }
    const filter = {
      environmentId: isOfInstallation ? null : environmentOf(caller),
      action: query.action,
      entity: query.entity_type,
      entityId: query.entity_id,
      accountId: query.user_id,
      keyId: query.key_id,
      since: query.since,
      until: query.until,
    };
    const page = { after: decodeCursor(Cursor, query.cursor), limit: query.limit };
    const body = presentPage(
      {
        positionOf: ({ at, id }: AuditRecord): AuditPosition => ({ at, id }),
        cursorOf: ({ at, id }) => ['audit', at.getTime(), id],
        present: presentEntry,
      },
      await audit.list(filter, page, signal),
    );
    return { status: 200, body };
  },
});

/** @throws NoEnvironment */
function environmentOf(caller: Caller | undefined): number {
  if (caller === undefined) throw new NoEnvironment();
  return caller.environmentId;
}

function presentEntry(record: AuditRecord) {
  const { ids, entity } = record;
  return {
    id: record.id,
    at: record.at.toISOString(),
    environment_id: record.environmentId,
    user_id: record.accountId,
    key_id: record.keyId,
    action: record.action,
    entity_type: entity,
    entity_ids: WITH_TEXT_IDS.includes(entity) ? [...ids] : ids.map(Number),
    details: { ...record.details },
    request_id: record.requestId,
  };
}
