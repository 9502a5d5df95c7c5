import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres } from '@sightline/postgres/open-postgres';
import { parseDatabaseUrl } from '@sightline/postgres/parse-database-url';
import { LONG_TIMEOUTS } from '../fixtures/long-timeouts.ts';

// A process that writes events into the given environments until it is killed.

/**
 * The number of identities and of detections. It is small, so that many events concern the same
 * entity.
 */
const ENTITIES = 40;
const MOST_EVENTS = 4;
const PAUSE_MS = 60;
const LONG_MS = 600;

class Rollback extends Error {}

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: '' },
    environment: { type: 'string', multiple: true, default: [] },
    writers: { type: 'string', default: '12' },
  },
});
const writers = Number(values.writers);
const { database } = openPostgres(parseDatabaseUrl(values.database), {
  ...LONG_TIMEOUTS,
  connections: writers,
  logger: createLogger({ level: 'silent' }),
  reader: { kind: 'shared' },
});
await Promise.all(Array.from({ length: writers }, write));

async function write(): Promise<never> {
  for (;;) {
    await sleep(PAUSE_MS * Math.random());
    try {
      await writeOnce();
    } catch (error) {
      if (!(error instanceof Rollback || error instanceof StoreUnavailable)) throw error;
    }
  }
}

/**
 * Emits some events in a transaction. One of five transactions is rolled back, and one of twenty
 * takes long.
 */
function writeOnce(): Promise<void> {
  const environmentId = Number(values.environment[upTo(values.environment.length)]);
  const events = Array.from({ length: 1 + upTo(MOST_EVENTS) }, anyEvent);
  return database.withEntities({ environmentId, locks: [] }, async (tx) => {
    for (const event of events) await tx.emit(event);
    if (upTo(20) === 0) await sleep(LONG_MS * Math.random());
    if (upTo(5) === 0) throw new Rollback();
  });
}

function anyEvent(): DomainEvent {
  const identityId = 1 + upTo(ENTITIES);
  const detectionId = 1 + upTo(ENTITIES);
  const events: readonly DomainEvent[] = [
    { event: 'identity_renamed', facts: { identityId, label: 'Ada', previousLabel: 'Bea' } },
    { event: 'identity_merged', facts: { identityId, mergedInto: 1 + upTo(ENTITIES) } },
    { event: 'detection_added', facts: { identityId, detectionId } },
    {
      event: 'detection_labeled',
      facts: { detectionId, type: 'face', identityId, externalRef: null },
    },
    {
      event: 'detections_deleted',
      facts: {
        detections: [detectionId, ENTITIES + detectionId].map((id) => ({
          detectionId: id,
          externalRef: null,
        })),
      },
    },
  ];
  return events[upTo(events.length)]!;
}

function upTo(count: number): number {
  return Math.floor(count * Math.random());
}
