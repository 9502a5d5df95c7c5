import type { KubeClient, Selection } from './kube-client.ts';
import type { KubeObject } from './kube-object.ts';
import type { ObjectSource } from './reflector.ts';

export function kubeSource<T extends KubeObject>(
  client: KubeClient,
  selection: Selection,
): ObjectSource<T> {
  return {
    list: (signal) => client.list<T>(selection, signal),
    watch: (resourceVersion, signal) => client.watch<T>({ ...selection, resourceVersion }, signal),
  };
}
