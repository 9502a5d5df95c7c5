import { KubeClient } from '@sightline/kube/kube-client';
import { podConnection, podNamespace } from '@sightline/kube/kube-connection';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import type { KubeObject } from '@sightline/kube/kube-object';
import { INFERENCE_ROUTES } from '@sightline/contracts/cluster/inference-route';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';

/** The annotation that lets a route with an active model be deleted. */
const DELETE_ANYWAY = 'sightline.dev/delete-anyway';

/**
 * `sightline routes delete`: a Job of the Helm chart runs this command before Helm deletes models, because neither a
 * route with an active model nor a model that a route names can be deleted otherwise.
 */
export const routesDelete: Command = {
  options: {},
  operands: ['RELEASE'],
  async run({ operands, print, signal }) {
    const [release = ''] = operands;
    const connection = await podConnection(readEnvironment());
    if (connection === null) throw new StartError('This command must run in a pod of a cluster.');
    await using client = new KubeClient(connection);
    const namespace = await podNamespace();
    for (const name of await deleteRoutes(client, { namespace, release }, signal)) {
      print(`deleted ${name}`);
    }
  },
};

export async function deleteRoutes(
  client: KubeClient,
  { namespace, release }: { readonly namespace: string; readonly release: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const place = { resource: INFERENCE_ROUTES, namespace };
  const labelSelector = `app.kubernetes.io/instance=${release}`;
  const routes = await listed(client, { ...place, labelSelector }, signal);
  const names = routes.map(({ metadata }) => metadata.name);
  const patch = { metadata: { annotations: { [DELETE_ANYWAY]: 'uninstall' } } };
  for (const name of names) {
    await client.patch({ ...place, name }, { patch, fieldManager: 'sightline-cli' }, signal);
    await client.delete({ ...place, name }, { propagationPolicy: 'Background' }, signal);
  }
  return names;
}

/** Lists the routes. The list is empty if the custom resource definitions were deleted before the release. */
async function listed(
  client: KubeClient,
  selection: Parameters<KubeClient['list']>[0],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(selection, signal)).items;
  } catch (error) {
    if (error instanceof KubeRefusal && error.isNotFound) return [];
    throw error;
  }
}
