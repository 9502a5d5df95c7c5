import type { NodeNamespace } from './node.ts';

export interface ScriptPod {
  /** Also the value of the pod's label `app`. */
  readonly name: string;
  /** JavaScript that goes on running. */
  readonly script: string;
  /** At which it listens, in the end; absent: at none. */
  readonly port?: number;
}

/** Runs a script in a pod that belongs to no release. @returns its address, which pods and the node reach */
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
