import { KubeClient } from '@sightline/kube/kube-client';
import { podConnection, podNamespace } from '@sightline/kube/kube-connection';
import { INFERENCE_ROUTES } from '@sightline/kube/resources/inference-route';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';

/** `sightline routes delete`: what a Job of the chart runs before Helm deletes models, which routes guard. */
export const routesDelete: Command = {
  options: {},
  operands: ['RELEASE'],
  async run({ operands, print, signal }) {
    const [release = ''] = operands;
    const connection = await podConnection(readEnvironment());
    if (connection === null) throw new StartError('This has to run in a pod of a cluster.');
    await using client = new KubeClient(connection);
    const place = { resource: INFERENCE_ROUTES, namespace: await podNamespace() };
    const labelSelector = `app.kubernetes.io/instance=${release}`;
    const { items } = await client.list({ ...place, labelSelector }, signal);
    for (const { metadata } of items) {
      const { name } = metadata;
      await client.delete({ ...place, name }, { propagationPolicy: 'Background' }, signal);
      print(`deleted ${name}`);
    }
  },
};
