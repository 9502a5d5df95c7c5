import type { KubeConnection } from '@sightline/kube/kube-connection';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { RequestOptions } from 'node:https';

export interface NamedConnection {
  readonly connection: KubeConnection;
  /** In which the operator's Lease is. */
  readonly namespace: string;
}

/**
 * The connection of the current context of `KUBECONFIG`, or of `~/.kube/config`: for an operator that runs outside of
 * the cluster, on the machine of who works on it. Whatever a kubeconfig can name as credentials counts, programs too.
 *
 * @throws StartError if there is no context, or its server's certificate is not to be checked
 */
export async function kubeconfigConnection(): Promise<NamedConnection> {
  // Takes a second and 80 MB, which no pod has to spend.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromDefault();
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new StartError('The kubeconfig has no current context.');
  if (cluster.skipTLSVerify) {
    throw new StartError('The kubeconfig has the certificate of its server not checked.');
  }
  const read = async () => {
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    return options;
  };
  const options = await read();
  const [cert, key] = [pemOf(options.cert), pemOf(options.key)];
  return {
    connection: {
      server: cluster.server,
      ca: pemOf(options.ca),
      ...(cert !== null && key !== null && { certificate: { cert, key } }),
      // A program that gives tokens is asked again when they expire.
      token: async () => bearerOf(await read()),
    },
    namespace: config.getContextObject(config.currentContext)?.namespace ?? 'default',
  };
}

function pemOf(found: unknown): string | null {
  if (Buffer.isBuffer(found)) return found.toString();
  return typeof found === 'string' ? found : null;
}

function bearerOf({ headers }: RequestOptions): string | null {
  const { Authorization: header } = (headers ?? {}) as Readonly<Record<string, unknown>>;
  return typeof header === 'string' ? header.replace(/^Bearer /, '') : null;
}
