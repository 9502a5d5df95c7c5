import { ActivationDeclared } from '@sightline/core/models/model-errors';
import type { ModelDeclarations, ModelRoutes } from '@sightline/core/models/model-routes';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { VARIABLES } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';

/** What a cluster declares of models. */
export interface Declared extends AsyncDisposable {
  readonly routes: ModelRoutes;
  readonly declarations: ModelDeclarations;
}

type ClusterRoutes = Exclude<InferenceSettings['routes'], 'database'>;

/**
 * Opens the custom resources of the namespace of this pod. Nothing is asked yet. Loads the adapter.
 *
 * @param routes `declared`: this process changes nothing of what is declared, and needs no token to refuse that
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
      logger.warn({ err: error }, 'models and routes of the cluster cannot be followed');
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

/** Of a process that may not write what is declared. */
const FIXED: ModelDeclarations = {
  want: () => declaredElsewhere('Which model answers'),
  keep: () => declaredElsewhere('What is kept of a model'),
};

const noToken = () =>
  Promise.reject(new StoreUnavailable('This pod has no token to ask Kubernetes what is declared.'));

/** API pods where the cluster has the last word. */
const WITHOUT_TOKEN: Declared = {
  routes: { routes: noToken, models: noToken, modelsNow: noToken, report: noToken },
  declarations: FIXED,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
