import type { KubeClient } from '@sightline/kube/kube-client';
import type { LeaseObject, LeaseObjects } from './leader-election.ts';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases' };

export function kubeLeases(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): LeaseObjects {
  const collection = { resource: LEASES, namespace };
  const ref = { ...collection, name };
  const fieldManager = name;
  return {
    read: (signal) => client.get<LeaseObject>(ref, signal),
    create: (spec, signal) => {
      const apiVersion = 'coordination.k8s.io/v1';
      const object = { apiVersion, kind: 'Lease', metadata: { name, namespace }, spec };
      return client.create<LeaseObject>(collection, { object, fieldManager }, signal);
    },
    replace: (lease, signal) =>
      client.replace<LeaseObject>(ref, { object: lease, fieldManager }, signal),
  };
}
