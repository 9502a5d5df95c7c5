import { readFile } from 'node:fs/promises';
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
 * Applies the CRDs that a folder's kustomization.yaml lists. Takes their fields from any other field manager, such as Helm,
 * because the operator needs the CRDs of its own release.
 *
 * @returns the names of the definitions
 * @throws KubeRefusal, KubeUnavailable, the signal's reason
 */
export async function applyCrds(
  client: Pick<KubeClient, 'apply'>,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const read = async (file: string) => load(await readFile(join(folder, file), 'utf8'));
  const { resources } = (await read('kustomization.yaml')) as { readonly resources: string[] };
  const names: string[] = [];
  for (const file of resources) {
    const object = (await read(file)) as KubeObject;
    const { name } = object.metadata;
    const options = { object, fieldManager: 'sightline-operator', force: true };
    await client.apply({ resource: DEFINITIONS, name }, options, signal);
    names.push(name);
  }
  return names;
}
