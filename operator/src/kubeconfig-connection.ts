import type { OwnerReference } from '@sightline/kube/kube-object';
import type { KubeConnection } from '@sightline/kube/kube-connection';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { RequestOptions } from 'node:https';

export interface NamedConnection {
  readonly connection: KubeConnection;
  /** The namespace of the operator's Lease. */
  readonly namespace: string;
  /** The owner of the Lease, with which Kubernetes deletes the Lease; null if it has none. */
  readonly owner: OwnerReference | null;
}

/**
 * Connects with the current context of `KUBECONFIG` or `~/.kube/config`, for an operator that a developer runs outside the
 * cluster. Supports all credentials of a kubeconfig, including programs that print a token.
 *
 * @throws StartError if there is no context, if it disables the check of the server's certificate, or if the
 *   packages for development are not installed
 */
export async function kubeconfigConnection(): Promise<NamedConnection> {
  const { KubeConfig } = await importClient();
  const config = new KubeConfig();
  config.loadFromDefault();
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new StartError('The kubeconfig has no current context.');
  if (cluster.skipTLSVerify) {
    throw new StartError(
      'The kubeconfig disables the verification of the server certificate, which the operator requires.',
    );
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
      // A credential plugin is called again when its token expires.
      token: async () => bearerOf(await read()),
    },
    namespace: config.getContextObject(config.currentContext)?.namespace ?? 'default',
    owner: null,
  };
}

/** Imports the Kubernetes client. Images do not contain it, because it is large and only developers need it. */
async function importClient() {
  try {
    return await import('@kubernetes/client-node');
  } catch (error) {
    throw new StartError(
      'A connection with KUBECONFIG needs the development packages: run npm ci.',
      {
        cause: error,
      },
    );
  }
}

function pemOf(found: unknown): string | null {
  if (Buffer.isBuffer(found)) return found.toString();
  return typeof found === 'string' ? found : null;
}

function bearerOf({ headers }: RequestOptions): string | null {
  const { Authorization: header } = (headers ?? {}) as Readonly<Record<string, unknown>>;
  return typeof header === 'string' ? header.replace(/^Bearer /, '') : null;
}
