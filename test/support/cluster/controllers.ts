import type { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import { JOBS, PODS } from '@sightline/operator/children/kinds';

const NEVER = new AbortController().signal;

export interface PodOwner extends KubeObject {
  readonly spec?: { readonly template?: { readonly metadata?: object; readonly spec: object } };
}

/** Replaces the controllers of Jobs and pods on an API server without controllers. */
export class Controllers {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async writeStatus(resource: Resource, { metadata }: KubeObject, status: object): Promise<void> {
    const { name, namespace = '' } = metadata;
    const options = { patch: { status }, fieldManager: 'test', subresource: 'status' } as const;
    await this.#client.patch({ resource, namespace, name }, options, NEVER);
  }

  async makePod(name: string, owner: PodOwner, status: object): Promise<void> {
    const { apiVersion, kind, metadata, spec } = owner;
    const { namespace = '' } = metadata;
    const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid! };
    const { template } = spec!;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...template!.metadata, name, namespace, ownerReferences: [reference] },
      spec: template!.spec,
    };
    const place = { resource: PODS, namespace };
    await this.#client.create(place, { object: pod, fieldManager: 'test' }, NEVER);
    await this.writeStatus(PODS, pod, status);
  }

  /** Ends a Job of one pod. @param message the termination message of its program */
  async endFetch(job: PodOwner, message: string, isSuccess = true): Promise<void> {
    const exitCode = isSuccess ? 0 : 1;
    const at = new Date().toISOString();
    const terminated = { exitCode, message, startedAt: at, finishedAt: at };
    const image = { image: 'i', imageID: 'i', restartCount: 0, ready: false };
    await this.makePod(`${job.metadata.name}-1`, job, {
      phase: isSuccess ? 'Succeeded' : 'Failed',
      containerStatuses: [{ name: 'fetch', ...image, state: { terminated } }],
    });
    const conditions = (types: readonly string[]) =>
      types.map((type) => ({ type, status: 'True', lastTransitionTime: at }));
    const ended = isSuccess
      ? {
          completionTime: at,
          succeeded: 1,
          conditions: conditions(['SuccessCriteriaMet', 'Complete']),
        }
      : { failed: 1, conditions: conditions(['FailureTarget', 'Failed']) };
    await this.writeStatus(JOBS, job, { startTime: at, ...ended });
  }
}
