import { ActivationDeclared } from '@sightline/core/models/model-errors';
import type { ModelDeclarations, ModelRoutes } from '@sightline/core/models/model-routes';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { VARIABLES } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';

/** The models and routes that a cluster declares. */
export interface Declared extends AsyncDisposable {
  readonly routes: ModelRoutes;
  readonly declarations: ModelDeclarations;
}

type ClusterRoutes = Exclude<InferenceSettings['routes'], 'database'>;

/**
 * Opens the custom resources of this pod's namespace, without a request yet. Loads the adapter.
 *
 * @param routes with `declared`, this process never changes what the cluster declares, and needs no token
 * @throws StartError outside a cluster, and in a pod without a token
 */
export async function openDeclared(routes: ClusterRoutes, logger: Logger): Promise<Declared> {
  const [
    { KubeClient },
    { podConnection, podNamespace },
    { KubeModelRoutes },
    { KubeModelDeclarations },
  ] = await Promise.all([
    import('@sightline/kube/kube-client'),
    import('@sightline/kube/kube-connection'),
    import('@sightline/models-kubernetes/kube-model-routes'),
    import('@sightline/models-kubernetes/kube-model-declarations'),
  ]);
  try {
    const connection = await podConnection(readEnvironment());
    if (connection === null) throw new StartError(OUTSIDE);
    const client = new KubeClient(connection);
    const namespace = await podNamespace();
    const failed = (error: unknown) =>
      logger.warn({ err: error }, 'models and routes of the cluster cannot be watched');
    const followed = new KubeModelRoutes({ client, namespace, failed });
    return {
      routes: followed,
      declarations:
        routes === 'declared' ? FIXED : new KubeModelDeclarations({ client, namespace }),
      async [Symbol.asyncDispose]() {
        await followed[Symbol.asyncDispose]();
        await client[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (routes === 'declared') return WITHOUT_TOKEN;
    throw new StartError('The token of this pod for Kubernetes cannot be read.', { cause: error });
  }
}

const OUTSIDE = `${VARIABLES.routes.name} is for pods of Kubernetes alone.`;

const declaredElsewhere = (what: string) =>
  Promise.reject(
    new ActivationDeclared(
      `${what} is declared in the cluster by InferenceRoutes and InferenceModels; change it there.`,
    ),
  );

/** The declarations of a process that may not change them. */
const FIXED: ModelDeclarations = {
  want: () => declaredElsewhere('The active model'),
  keep: () => declaredElsewhere('The standby state of a model'),
};

const noToken = () =>
  Promise.reject(new StoreUnavailable('This pod has no token to ask Kubernetes what is declared.'));

/** The declarations of API pods that leave activations to the cluster. */
const WITHOUT_TOKEN: Declared = {
  routes: { routes: noToken, models: noToken, modelsNow: noToken, report: noToken },
  declarations: FIXED,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
