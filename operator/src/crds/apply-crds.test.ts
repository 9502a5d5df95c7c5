import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import type { KubeClient } from '@sightline/kube/kube-client';
import { applyCrds } from './apply-crds.ts';

const CRDS = resolve(import.meta.dirname, '../../../crds');

test('every definition of the folder is applied', async () => {
  const applied: string[] = [];
  const client = {
    apply: ({ name }, { object }) => {
      expect(object).toMatchObject({ kind: 'CustomResourceDefinition', metadata: { name } });
      applied.push(name);
      return Promise.resolve(object);
    },
  } as Pick<KubeClient, 'apply'>;

  const names = await applyCrds(client, CRDS, new AbortController().signal);

  const definitions = (await readdir(CRDS)).filter((file) => file !== 'kustomization.yaml');
  expect(names).toEqual(definitions.map((file) => file.replace('.yaml', '.sightline.dev')));
  expect(applied).toEqual(names);
});
