import type { NodeNamespace } from './node.ts';

export interface ScriptPod {
  /** The name of the pod, which is also the value of its label `app`. */
  readonly name: string;
  /** JavaScript that runs until it is killed. */
  readonly script: string;
  /** The port on which the script listens once it is ready; absent if it does not listen. */
  readonly port?: number;
}

/**
 * Runs a script in a pod that belongs to no release.
 * @returns the pod's address, which pods and the node reach
 */
export async function startScriptPod(
  namespace: NodeNamespace,
  { name, script, port }: ScriptPod,
): Promise<string> {
  const container = {
    name: 'script',
    image: 'docker.io/library/sightline:e2e',
    args: ['-e', script],
    ...(port !== undefined && { readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } }),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
  const securityContext = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  await namespace.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: { containers: [container], securityContext, terminationGracePeriodSeconds: 1 },
  });
  await namespace.kubectl('wait', `pod/${name}`, '--for=condition=Ready', '--timeout=60s');
  return namespace.podAddress(name);
}
