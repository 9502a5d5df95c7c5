import { KubeClient } from '@sightline/kube/kube-client';
import { podConnection, podNamespace, podServiceAccount } from '@sightline/kube/kube-connection';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { fail } from '@sightline/platform/lifecycle/run-main';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { systemClock } from '@sightline/platform/resilience/clock';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { kubeconfigConnection, type NamedConnection } from './kubeconfig-connection.ts';
import { pollOverHttp } from './observe/pod-poller.ts';
import { createRequestMetrics } from './operator-metrics.ts';
import { createOperatorRole } from './operator-role.ts';

/** @throws StartError if the process runs outside a pod and KUBECONFIG is not set */
export async function openOperatorProcess(
  { config, logger, registry }: ProcessContext<'operator'>,
  connect: () => Promise<NamedConnection> = findConnection,
): Promise<OpenedProcess> {
  const { connection, namespace, owner } = await connect();
  const client = new KubeClient(connection, createRequestMetrics(registry));
  const operator = createOperatorRole({
    client,
    clock: systemClock,
    logger,
    registry,
    poll: pollOverHttp,
    now: () => Date.now(),
    namespace,
    leaseName: config.leaseName,
    leaseOwner: owner,
    // A random suffix, because a restarted process in the same pod counts as another replica.
    identity: `${hostname()}_${randomUUID()}`,
    namespaces: config.watchNamespaces,
    requireDigests: config.requireDigests === 'true',
    fail,
  });
  return { roles: [operator], [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

async function findConnection(): Promise<NamedConnection> {
  const environment = readEnvironment();
  const connection = await podConnection(environment);
  if (connection !== null) {
    return { connection, namespace: await podNamespace(), owner: await podServiceAccount() };
  }
  if (environment.KUBECONFIG !== undefined) return kubeconfigConnection();
  throw new StartError(
    'The operator must run in a pod of Kubernetes, or with KUBECONFIG set to a kubeconfig file.',
  );
}
