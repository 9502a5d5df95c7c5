import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { KubeRefusal, KubeUnavailable } from '@sightline/kube/kube-errors';

/** @throws StoreUnavailable instead of what Kubernetes refuses or does not answer */
export async function asUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof KubeUnavailable) {
      throw new StoreUnavailable('Kubernetes does not answer at the moment.', {}, { cause: error });
    }
    if (!(error instanceof KubeRefusal)) throw error;
    const said = `Kubernetes refuses what this process asks of it (${error.status.code}).`;
    throw new StoreUnavailable(said, {}, { cause: error });
  }
}
