import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import type { Resource } from '@sightline/kube/kube-object';
import type { SecretObject } from './quickstart-secrets.ts';

const SECRETS: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' };

/**
 * Creates the missing Secrets. Existing Secrets stay unchanged, because the stores already use the passwords in them.
 *
 * @returns the names of the created Secrets
 * @throws KubeRefusal, KubeUnavailable, the signal's reason
 */
export async function createSecrets(
  client: Pick<KubeClient, 'create'>,
  secrets: readonly SecretObject[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const made: string[] = [];
  for (const object of secrets) {
    const { name, namespace } = object.metadata;
    const place = { resource: SECRETS, ...(namespace !== undefined && { namespace }) };
    try {
      await client.create(place, { object, fieldManager: 'sightline-quickstart' }, signal);
      made.push(name);
    } catch (error) {
      if (!(error instanceof KubeRefusal && error.isConflict)) throw error;
    }
  }
  return made;
}
