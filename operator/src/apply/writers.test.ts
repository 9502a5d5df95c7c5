import { beforeEach, expect, test } from '@jest/globals';
import type { KubeObject } from '@sightline/kube/kube-object';
import { INFERENCE_MODELS } from '@sightline/contracts/cluster/inference-model';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import { buildServingConfig } from '../children/build-serving-config.ts';
import type { Intent } from '../children/intent.ts';
import { CONFIG_MAPS } from '../children/kinds.ts';
import { condition, sampleModel } from '../plan/testing/samples.ts';
import { ChildWriter, ForeignChild } from './child-writer.ts';
import { KubeRefusal, toStatus } from '@sightline/kube/kube-errors';
import { recordEvent } from './event-recorder.ts';
import { writeStatus } from './status-writer.ts';
import { Written } from '@sightline/kube/written';

const NEVER = new AbortController().signal;

let writes: string[];
let version: number;
let lost: Error | null;
let written: Written;

/** How the server refuses to create an object; null if it creates it. */
let refusal: Error | null;
/** The object that the server has under the name of a child. */
let existing: KubeObject | null;
/** The changes that the server makes to written objects, such as defaults. */
let normalize: (object: KubeObject) => KubeObject;

beforeEach(() => {
  [writes, version, lost, written] = [[], 10, null, new Written(new FakeClock())];
  [refusal, existing] = [null, null];
  normalize = (object) => object;
});

const client = {
  apply: <T extends KubeObject>(_ref: object, { object }: { object: object }) => {
    const given = object as KubeObject;
    writes.push(`apply ${given.kind}`);
    version += 1;
    const metadata = { ...given.metadata, uid: 'u', resourceVersion: String(version) };
    return Promise.resolve(normalize({ ...given, metadata }) as T);
  },
  delete: (_ref: object, { propagationPolicy }: { propagationPolicy: string }) => {
    writes.push(`delete ${propagationPolicy}`);
    return Promise.resolve(true);
  },
  create: <T extends KubeObject>(collection: object, { object }: { object: object }) => {
    if (refusal !== null) return Promise.reject(refusal);
    const given = object as KubeObject;
    writes.push(`create ${given.kind}`);
    return Promise.resolve({ ...given, metadata: { ...given.metadata, uid: 'u' } } as T);
  },
  get: <T extends KubeObject>() => Promise.resolve(existing as T | null),
};

const requireLeader = (): void => {
  if (lost !== null) throw lost;
};

function writer(): ChildWriter {
  return new ChildWriter({ client, written, requireLeader });
}

function intentOf(revision: string): Intent {
  const served = { name: 'a', task: 'face', revision, keep: 'loaded' } as const;
  return buildServingConfig(sampleModel('a'), { provider: 'auto', models: [served] });
}

const stored = ({ object }: Intent, more: object = {}): KubeObject => ({
  ...object,
  ...more,
  metadata: { ...object.metadata, uid: 'u', resourceVersion: '1' },
});

test('a child is written if it is missing, has another intent, or was changed by another client', async () => {
  const children = writer();
  const intent = intentOf('1');
  expect(await children.apply(intent, undefined, NEVER)).toBe(true);
  expect(await children.apply(intent, stored(intent), NEVER)).toBe(false);
  expect(await children.apply(intentOf('2'), stored(intent), NEVER)).toBe(true);
  expect(await children.apply(intent, stored(intent, { data: {} }), NEVER)).toBe(true);
  expect(writes).toHaveLength(3);
});

test('a child that the server rewrites is applied once', async () => {
  const children = writer();
  const intent = intentOf('1');
  normalize = (object) => ({ ...object, data: { 'serving.json': 'otherwise' } }) as KubeObject;
  await children.apply(intent, undefined, NEVER);
  const seen = written.newest(CONFIG_MAPS, 'ns/imodel-a', undefined);
  expect(await children.apply(intent, seen, NEVER)).toBe(false);
  const changed = { ...seen!, metadata: { ...seen!.metadata, resourceVersion: '99' } };
  expect(await children.apply(intent, changed, NEVER)).toBe(true);
});

test('the state of a deleted child is forgotten', async () => {
  const children = writer();
  const intent = intentOf('1');
  normalize = (object) => ({ ...object, data: { 'serving.json': 'otherwise' } }) as KubeObject;
  await children.apply(intent, undefined, NEVER);
  const seen = written.newest(CONFIG_MAPS, 'ns/imodel-a', undefined)!;
  children.forget(CONFIG_MAPS, seen);
  expect(await children.apply(intent, seen, NEVER)).toBe(true);
});

test('an immutable child stays, or is replaced if its intent has changed', async () => {
  const observed = stored(intentOf('1'));
  const fixed = (revision: string, what: 'keep' | 'renew') => ({
    ...intentOf(revision),
    fixed: what,
  });
  expect(await writer().apply(fixed('2', 'keep'), observed, NEVER)).toBe(false);
  expect(await writer().apply(fixed('1', 'renew'), observed, NEVER)).toBe(false);
  expect(writes).toEqual([]);
  expect(await writer().apply(fixed('2', 'renew'), observed, NEVER)).toBe(true);
  expect(writes).toEqual(['delete Background', 'create ConfigMap']);
});

/** An immutable child, and an object of its name with another owner. */
function withOwner(owner: object | null, labels?: Readonly<Record<string, string>>) {
  const intent: Intent = { ...intentOf('1'), fixed: 'keep' };
  const reference = { apiVersion: 'v1', uid: 'other', controller: true, ...owner };
  const observed: KubeObject = {
    ...stored(intent),
    metadata: {
      ...stored(intent).metadata,
      ownerReferences: owner === null ? [] : [reference as never],
      ...(labels !== undefined && { labels }),
    },
  };
  return { intent, observed };
}

test.each([
  ['was orphaned', null],
  ['belongs to a deleted model of the same name', { kind: 'InferenceModel', name: 'a' }],
])('an immutable child that %s is replaced', async (_, owner) => {
  const { intent, observed } = withOwner(owner);
  expect(await writer().apply(intent, observed, NEVER)).toBe(true);
  expect(writes).toEqual(['delete Background', 'create ConfigMap']);
});

test('an immutable child of another owner stays, and the error names the owner', async () => {
  const { intent, observed } = withOwner({ kind: 'Workflow', name: 'nightly' });
  await expect(writer().apply(intent, observed, NEVER)).rejects.toThrow(
    'The ConfigMap imodel-a belongs to Workflow nightly. Delete it, and the operator creates its own.',
  );
  const other = withOwner({ kind: 'InferenceModel', name: 'b' });
  await expect(writer().apply(other.intent, other.observed, NEVER)).rejects.toBeInstanceOf(
    ForeignChild,
  );
  expect(writes).toEqual([]);
});

test('an object that the operator does not watch, but that has the name of a child, stays', async () => {
  const exists = new KubeRefusal(toStatus(409, '{"reason":"AlreadyExists"}', undefined));
  refusal = exists;
  const { intent, observed } = withOwner(null, {});
  existing = observed;
  await expect(writer().apply(intent, undefined, NEVER)).rejects.toThrow(
    'The ConfigMap imodel-a was not created by this operator.',
  );
  // The watch is behind: the object is the child, or it was deleted a moment later.
  for (const found of [stored(intent), null]) {
    existing = found;
    await expect(writer().apply(intent, undefined, NEVER)).rejects.toBe(exists);
  }
  expect(writes).toEqual([]);
});

test('children are deleted once, together with their dependents', async () => {
  const intent = intentOf('1');
  const obsolete = { resource: CONFIG_MAPS, name: 'imodel-a' };
  expect(await writer().remove(obsolete, stored(intent), NEVER)).toBe(true);
  const { metadata, ...object } = stored(intent);
  const deleting = {
    ...object,
    metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  expect(await writer().remove(obsolete, deleting, NEVER)).toBe(false);
  expect(writes).toEqual(['delete Background']);
});

test('a process that has lost its lease writes nothing', async () => {
  lost = new Error('lost');
  const intent = intentOf('1');
  await expect(writer().apply(intent, undefined, NEVER)).rejects.toThrow('lost');
  const obsolete = { resource: CONFIG_MAPS, name: 'imodel-a' };
  await expect(writer().remove(obsolete, stored(intent), NEVER)).rejects.toThrow('lost');
  const status = {
    resource: INFERENCE_MODELS,
    object: sampleModel('a'),
    status: { state: 'Warm' },
  };
  await expect(writeStatus({ client, written, requireLeader }, status, NEVER)).rejects.toThrow(
    'lost',
  );
  expect(writes).toEqual([]);
});

test('a status is written if its own fields differ; those of other clients do not matter', async () => {
  const others = { fields: ['active'], conditions: ['Activated'] };
  const own = { phase: 'Idle', conditions: [condition('Ready'), condition('Available')] };
  const found = {
    active: { revision: '1' },
    conditions: [condition('Activated'), condition('Available'), condition('Ready')],
    phase: 'Idle',
  };
  const object = { ...sampleModel('a'), status: found };
  const write = (status: object) =>
    writeStatus(
      { client, written, requireLeader },
      { resource: INFERENCE_MODELS, object, status, others },
      NEVER,
    );
  expect(await write(own)).toBe(false);
  expect(await write({ ...own, phase: 'Draining' })).toBe(true);
  // A condition that is no longer planned is removed.
  expect(await write({ conditions: own.conditions })).toBe(true);
  const changed = [condition('Ready', 'False'), conditionOf(own.conditions, 'Available')!];
  expect(await write({ ...own, conditions: changed })).toBe(true);
});

test('the note of an Event has at most the bytes that the server stores', async () => {
  const created: { note: string }[] = [];
  const create = (_place: object, { object }: { object: object }) => {
    created.push(object as { note: string });
    return Promise.resolve(object as never);
  };
  const failed = () => undefined;
  const deps = { client: { create }, instance: 'one', requireLeader, failed };
  const event = { type: 'Warning', reason: 'LoadFailed', note: 'ж'.repeat(1_000) } as const;
  await recordEvent(deps, { about: sampleModel('a'), event }, NEVER);
  expect(created[0]?.note).toBe('ж'.repeat(512));
});

test('an Event that cannot be stored does not fail the reconciliation', async () => {
  refusal = new Error('no room');
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const deps = { client, instance: 'one', requireLeader, failed };
  const event = { type: 'Normal', reason: 'Warm', note: 'It is warm.' } as const;
  await recordEvent(deps, { about: sampleModel('a'), event }, NEVER);
  expect(failures).toEqual([new Error('no room')]);
});
