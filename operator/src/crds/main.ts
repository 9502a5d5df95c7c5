import { resolve } from 'node:path';
import { KubeClient } from '@sightline/kube/kube-client';
import { podConnection } from '@sightline/kube/kube-connection';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { runMain } from '@sightline/platform/lifecycle/run-main';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { applyCrds } from './apply-crds.ts';

const CRDS = resolve(import.meta.dirname, '../../../crds');

/** Applies the CRDs. A Job of the chart runs this program before each upgrade. */
await runMain(async (signal) => {
  const connection = await podConnection(readEnvironment());
  if (connection === null) throw new StartError('This program must run in a pod of a cluster.');
  await using client = new KubeClient(connection);
  for (const name of await applyCrds(client, CRDS, signal)) {
    process.stdout.write(`applied ${name}\n`);
  }
});
