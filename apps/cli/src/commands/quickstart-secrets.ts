import { randomBytes } from 'node:crypto';
import { KubeClient } from '@sightline/kube/kube-client';
import { podConnection, podNamespace } from '@sightline/kube/kube-connection';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { createSecrets } from '../quickstart/create-secrets.ts';
import { quickstartSecrets } from '../quickstart/quickstart-secrets.ts';

/**
 * `sightline quickstart secrets`: a Job of the Helm chart runs this command before the quickstart's stores are
 * created.
 */
export const quickstartSecretsCommand: Command = {
  options: { database: { type: 'string', default: 'localhost:5432' } },
  operands: ['NAME'],
  async run({ operands, options, print, signal }) {
    const [name = ''] = operands;
    const connection = await podConnection(readEnvironment());
    if (connection === null) throw new StartError('This command must run in a pod of a cluster.');
    await using client = new KubeClient(connection);
    const secrets = quickstartSecrets({
      name,
      namespace: await podNamespace(),
      labels: { 'app.kubernetes.io/part-of': 'sightline' },
      database: String(options.database),
      random: randomBytes,
    });
    const made = await createSecrets(client, secrets, signal);
    for (const { metadata } of secrets) {
      print(made.includes(metadata.name) ? `made ${metadata.name}` : `${metadata.name} is there`);
    }
  },
};
