import type { KubeClient } from '@sightline/kube/kube-client';
import type { OwnerReference, Resource } from '@sightline/kube/kube-object';
import type { LeaseObject, LeaseObjects } from './leader-election.ts';

export const LEASES: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
};

export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** The owner, with which Kubernetes deletes the Lease; null if it has none. */
  readonly owner: OwnerReference | null;
}

export function kubeLeases(
  client: KubeClient,
  { namespace, name, owner }: LeaseOptions,
): LeaseObjects {
  const collection = { resource: LEASES, namespace };
  const ref = { ...collection, name };
  const fieldManager = name;
  const owned = owner === null ? {} : { ownerReferences: [owner] };
  return {
    read: (signal) => client.get<LeaseObject>(ref, signal),
    create: (spec, signal) => {
      const apiVersion = 'coordination.k8s.io/v1';
      const object = { apiVersion, kind: 'Lease', metadata: { name, namespace, ...owned }, spec };
      return client.create<LeaseObject>(collection, { object, fieldManager }, signal);
    },
    replace: (lease, signal) => {
      const object = { ...lease, metadata: { ...lease.metadata, ...owned } };
      return client.replace<LeaseObject>(ref, { object, fieldManager }, signal);
    },
  };
}
