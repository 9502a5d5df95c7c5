import type { Stores } from '../database/database.ts';
import type { DetectionType } from '../detection-type.ts';
import type { FaceRecord } from '../references/face-record.ts';
import type { FaceTask, TaskRows } from './face-task.ts';

/** A task with the rows that its transaction will probably find; undefined for a detection that does not exist. */
export interface ExpectedTask {
  readonly task: FaceTask;
  readonly expected: TaskRows | undefined;
}

/**
 * Reads the rows that tasks will probably find, in the order of the tasks. These rows decide which locks a transaction
 * takes first.
 */
export async function expectFaces(
  stores: Stores,
  tasks: readonly FaceTask[],
): Promise<readonly ExpectedTask[]> {
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
  return tasks.map((task) => {
    const face = faces.get(task.id);
    return { task, expected: face && { face, targetId: idOf(face, task.target) } };
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
