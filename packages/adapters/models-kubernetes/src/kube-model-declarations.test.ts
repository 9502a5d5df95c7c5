import { beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal, toStatus } from '@sightline/kube/kube-errors';
import type { ObjectRef } from '@sightline/kube/kube-object';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { KubeModelDeclarations } from './kube-model-declarations.ts';

const NEVER = new AbortController().signal;
const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)];

let models: InferenceModel[];
let route: Pick<InferenceRoute, 'spec' | 'status'>;
/** The names and specs that were written. */
let written: unknown[];
/** The error of each write; null if writes succeed. */
let refusal: KubeRefusal | null;

const client = {
  get: () => Promise.resolve({ metadata: { name: 'face' }, ...route }),
  list: () => Promise.resolve({ resourceVersion: '1', items: models }),
  apply: ({ name }: ObjectRef, { object }: { object: Pick<InferenceRoute, 'spec'> }) => {
    if (refusal !== null) return Promise.reject(refusal);
    written.push([name, object.spec]);
    return Promise.resolve(object);
  },
} as unknown as KubeClient;
const declarations = new KubeModelDeclarations({ client, namespace: 'shop' });

function model(name: string, revision: string): InferenceModel {
  const spec = { task: 'Face', packName: 'faces', standby: 'None' } as InferenceModel['spec'];
  const status = {
    pack: { name: 'faces', revision },
    conditions: [
      {
        type: 'Verified',
        status: 'True' as const,
        reason: 'Verified',
        message: '',
        lastTransitionTime: '',
      },
    ],
  };
  const metadata = { name, namespace: 'shop' };
  return { apiVersion: 'sightline.dev/v1alpha1', kind: 'InferenceModel', metadata, spec, status };
}

const faces = (revision: string) => ({ name: 'faces', task: 'face', revision }) as const;

beforeEach(() => {
  models = ['x', 'default', 'named', 'active'].map((name) => model(name, NEW));
  route = { spec: { defaultModel: 'default' } as InferenceRoute['spec'] };
  [written, refusal] = [[], null];
});

const requested = async () => {
  await declarations.activate(faces(NEW), 'before', NEVER);
  return written.pop();
};

test('of several models with the same bytes, the active one is requested, else the one that the route names', async () => {
  expect(await requested()).toEqual(['face', { model: 'default' }]);
  route = { spec: { ...route.spec, model: 'named' } };
  expect(await requested()).toEqual(['face', { model: 'named' }]);
  route = { ...route, status: { active: { model: 'active', revision: NEW, since: '' } } };
  expect(await requested()).toEqual(['face', { model: 'active' }]);
  models = models.slice(0, 1);
  expect(await requested()).toEqual(['face', { model: 'x' }]);
});

test('of two versions of a pack, the one with the bytes of the row is kept', async () => {
  models = [model('v1', OLD), model('v2', NEW)];
  await declarations.keep(faces(NEW), NEVER);
  await declarations.keep(faces(OLD), NEVER);
  const spec = { standby: 'Store' };
  expect(written).toEqual([
    ['v2', spec],
    ['v1', spec],
  ]);
});

test('a write that conflicts again and again fails with an outage', async () => {
  refusal = new KubeRefusal(toStatus(409, '{"reason":"Conflict"}', undefined));
  await expect(declarations.activate(faces(NEW), 'before', NEVER)).rejects.toThrow(
    StoreUnavailable,
  );
  await expect(declarations.keep(faces(NEW), NEVER)).rejects.toThrow(StoreUnavailable);
});
