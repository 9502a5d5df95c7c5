import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';

const DEFINITIONS: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
};

/**
 * Makes the custom resources of a cluster those of a folder. Whoever put them there before, such as Helm, does not own
 * them any more: an operator needs the fields of its own release.
 *
 * @returns their names
 * @throws KubeRefusal, KubeUnavailable, the signal's reason
 */
export async function applyCrds(
  client: Pick<KubeClient, 'apply'>,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const file of (await readdir(folder)).toSorted()) {
    const object = load(await readFile(join(folder, file), 'utf8')) as KubeObject;
    const { name } = object.metadata;
    const options = { object, fieldManager: 'sightline-operator', force: true };
    await client.apply({ resource: DEFINITIONS, name }, options, signal);
    names.push(name);
  }
  return names;
}
