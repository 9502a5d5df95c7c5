import type { Stores } from '../database/database.ts';
import type { DetectionType } from '../detection-type.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { FaceTask } from './face-task.ts';

/** The rows that a task's transaction will probably find. These rows decide which locks the transaction takes first. */
export interface ExpectedTask {
  readonly face: FaceRecord;
  /** The id of the identity that the task names; null if it names none, or if the identity does not exist yet. */
  readonly targetId: number | null;
}

/**
 * Reads the rows that tasks will probably find, in the order of the tasks. Returns undefined for a task whose detection
 * does not exist; ids are not reused, so a later read would not find the detection, either.
 */
export async function expectFaces(
  stores: Stores,
  tasks: readonly FaceTask[],
): Promise<readonly (ExpectedTask | undefined)[]> {
  const ids = [...new Set(tasks.map(({ id }) => id))];
  const records = await stores.faceRecords.byIds(ids, null);
  const faces = new Map(records.map((record) => [record.detection.id, record]));
  const labels = { face: new Set<string>(), object: new Set<string>() };
  for (const { id, target } of tasks) {
    const type = faces.get(id)?.detection.type;
    if (type !== undefined && target !== null && 'label' in target) labels[type].add(target.label);
  }
  const [people, things] = await Promise.all([
    idsByLabel(stores, 'face', labels.face),
    idsByLabel(stores, 'object', labels.object),
  ]);
  const idOf = ({ detection }: FaceRecord, target: FaceTask['target']) => {
    if (target === null) return null;
    if ('identityId' in target) return target.identityId;
    return (detection.type === 'face' ? people : things).get(target.label) ?? null;
  };
  return tasks.map(({ id, target }) => {
    const face = faces.get(id);
    return face && { face, targetId: idOf(face, target) };
  });
}

async function idsByLabel(
  { identities }: Stores,
  type: DetectionType,
  labels: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = labels.size > 0 ? await identities.byLabels(type, [...labels]) : [];
  return new Map(found.map(({ id, label }) => [label, id]));
}
