import type { Transaction } from '../database/database.ts';
import { detectionCreated, detectionLabeled } from '../events/detection-events.ts';
import type { DomainEvent } from '../events/domain-event.ts';
import {
  coverChanged,
  embeddingAdded,
  embeddingRemoved,
  identityCreated,
  identityRenamed,
} from '../events/identity-events.ts';
import type { ChangedSubject, OperationItem } from '../operations/operation.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { UndoPlan } from './plan-undo.ts';

/**
 * Emits the events of the same changes by hand: identities first, then detections, then references. The rows must have been
 * restored.
 */
export async function announceUndo(
  tx: Transaction,
  { restored, revokes, enrolls }: Pick<UndoPlan, 'restored' | 'revokes' | 'enrolls'>,
): Promise<void> {
  const added = enrolls.map((reference): ReferenceLink => ({
    ...reference,
    id: reference.returnedId!,
  }));
  await tx.emit(
    ...(await identityEvents(tx, restored)),
    ...(await detectionEvents(tx, restored)),
    ...revokes.map(embeddingRemoved),
    ...added.map(embeddingAdded),
  );
}

interface ChangedRow {
  readonly id: number;
  readonly row: OperationItem;
}

function rowsOf(kind: ChangedSubject['kind'], restored: readonly ChangedSubject[]): ChangedRow[] {
  return restored.flatMap((subject) => {
    const row = subject.items.find(({ part }) => part === 'row');
    return subject.kind === kind && row !== undefined ? [{ id: subject.id, row }] : [];
  });
}

async function identityEvents(
  tx: Transaction,
  restored: readonly ChangedSubject[],
): Promise<readonly DomainEvent[]> {
  const rows = rowsOf('identity', restored);
  const found = await tx.identities.byIds(rows.map(({ id }) => id));
  const identities = new Map(found.map((identity) => [identity.id, identity]));
  return rows.flatMap(({ id, row: { before, after } }) => {
    const identity = identities.get(id);
    if (identity === undefined) return [];
    if (after === null) return [identityCreated(identity)];
    const { label, coverDetectionId } = identity;
    const previousLabel = after.label as string;
    return [
      ...(label === previousLabel ? [] : [identityRenamed(id, { label, previousLabel })]),
      ...(before?.cover_detection_id === after.cover_detection_id
        ? []
        : [coverChanged(id, coverDetectionId)]),
    ];
  });
}

async function detectionEvents(
  tx: Transaction,
  restored: readonly ChangedSubject[],
): Promise<readonly DomainEvent[]> {
  const rows = rowsOf('detection', restored);
  const found = await tx.detections.byIds(rows.map(({ id }) => id));
  const detections = new Map(found.map((detection) => [detection.id, detection]));
  const sourceIds = [...new Set(found.map(({ sourceImageId }) => sourceImageId))];
  const sources = await tx.sources.byIds(sourceIds);
  const externalRefs = new Map(sources.map(({ id, externalRef }) => [id, externalRef]));
  return rows.flatMap(({ id, row: { before, after } }) => {
    const detection = detections.get(id);
    if (detection === undefined) return [];
    const externalRef = externalRefs.get(detection.sourceImageId) ?? null;
    if (after === null) return [detectionCreated(detection, externalRef)];
    const isMoved = before?.identity_id !== after.identity_id;
    return isMoved ? [detectionLabeled(detection, externalRef)] : [];
  });
}
