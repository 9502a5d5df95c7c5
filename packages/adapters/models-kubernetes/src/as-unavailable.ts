import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { KubeRefusal, KubeUnavailable } from '@sightline/kube/kube-errors';

/** @throws StoreUnavailable instead of an error of the Kubernetes API */
export async function asUnavailable<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof KubeUnavailable) {
      throw new StoreUnavailable('The Kubernetes API does not respond.', {}, { cause: error });
    }
    if (!(error instanceof KubeRefusal)) throw error;
    const message = `The Kubernetes API rejected a request of this process (${error.status.code}).`;
    throw new StoreUnavailable(message, {}, { cause: error });
  }
}
