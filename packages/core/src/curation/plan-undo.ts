import type { Identity } from '../identities/identity.ts';
import type { ChangedSubject, OperationItem, Subject } from '../operations/operation.ts';
import type { NewReference, ReferenceLink } from '../references/reference.ts';

export interface SkippedSubject extends Subject {
  /** `changed_since`: its rows were changed again. `not_found`: it was purged, or what it refers to was deleted. */
  readonly code: 'changed_since' | 'not_found';
}

export interface UndoPlan {
  readonly skipped: readonly SkippedSubject[];
  /** The subjects to take back. Those that the operation created are not among them. */
  readonly restored: readonly ChangedSubject[];
  readonly revokes: readonly ReferenceLink[];
  readonly enrolls: readonly NewReference[];
  /** The ids of what the operation created, and what disappears if nothing else uses it. */
  readonly removes: {
    readonly images: readonly number[];
    readonly detections: readonly number[];
    readonly identities: readonly number[];
  };
}

/** Groups the items of subjects, which follow each other. */
export function groupItems(items: readonly OperationItem[]): readonly ChangedSubject[] {
  const subjects: (Subject & { readonly items: OperationItem[] })[] = [];
  for (const item of items) {
    const last = subjects.at(-1);
    if (last?.kind === item.kind && last.id === item.id) last.items.push(item);
    else subjects.push({ kind: item.kind, id: item.id, items: [item] });
  }
  return subjects;
}

/**
 * Decides what an undo does to each subject.
 *
 * @param identities the identities to which the items refer and that exist
 */
export function planUndo(
  subjects: readonly ChangedSubject[],
  identities: ReadonlyMap<number, Pick<Identity, 'id'>>,
): UndoPlan {
  const returning = new Set(
    subjects.flatMap(({ kind, id, items }) =>
      kind === 'identity' && items.some(({ after }) => after === null) ? [id] : [],
    ),
  );
  const exists = (id: number) => identities.has(id) || returning.has(id);
  const skipped: SkippedSubject[] = [];
  const taken: ChangedSubject[] = [];
  for (const subject of subjects) {
    const code = obstacleOf(subject, exists);
    if (code === null) taken.push(subject);
    else skipped.push({ kind: subject.kind, id: subject.id, code });
  }
  const created = taken.filter(isCreated);
  const idsOf = (kind: Subject['kind']) =>
    created.filter((subject) => subject.kind === kind).map(({ id }) => id);
  const restored = taken.filter((subject) => !isCreated(subject));
  return {
    skipped,
    restored,
    ...referencesOf(restored),
    removes: {
      detections: idsOf('detection'),
      images: idsOf('image'),
      identities: idsOf('identity'),
    },
  };
}

/** Whether the operation created the subject, and did not delete it again. */
function isCreated({ items }: ChangedSubject): boolean {
  return items.some(
    ({ part, before, after }) => part === 'row' && before === null && after !== null,
  );
}

function obstacleOf(
  subject: ChangedSubject,
  exists: (identityId: number) => boolean,
): SkippedSubject['code'] | null {
  // A purge has deleted the values.
  if (subject.items.every(({ before, after }) => (before ?? after) === null)) return 'not_found';
  if (subject.items.some(({ isAsLeft }) => !isAsLeft)) return 'changed_since';
  return identitiesBefore(subject).every(exists) ? null : 'not_found';
}

/** The identities that a detection has again after the undo. */
export function identitiesBefore({ kind, items }: ChangedSubject): readonly number[] {
  if (kind !== 'detection') return [];
  return items.flatMap(({ part, before }) => {
    const identity = before?.identity_id;
    return (part === 'row' || part === 'reference') && typeof identity === 'number'
      ? [identity]
      : [];
  });
}

function referencesOf(restored: readonly ChangedSubject[]): Pick<UndoPlan, 'revokes' | 'enrolls'> {
  const items = restored.flatMap((subject) =>
    subject.items.filter(({ part }) => part === 'reference'),
  );
  return {
    revokes: items.flatMap(({ after }) => (after === null ? [] : linkOf(after))),
    enrolls: items.flatMap(({ before }) =>
      before === null
        ? []
        : {
            ...linkOf(before),
            returnedId: before.id as number,
            createdAt: new Date(before.created_at as string),
          },
    ),
  };
}

function linkOf(row: Readonly<Record<string, unknown>>): ReferenceLink {
  return {
    id: row.id as number,
    identityId: row.identity_id as number,
    modelId: row.model_id as number,
    detectionId: row.detection_id as number,
  };
}
