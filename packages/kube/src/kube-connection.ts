import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The address of the API server and the credentials for it. */
export interface KubeConnection {
  /** A URL such as `https://10.96.0.1:443`. */
  readonly server: string;
  /** The PEM of the authority that signed the server's certificate; null if Node trusts it anyway. */
  readonly ca: string | null;
  /** The PEM of a client's certificate and key. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Reads the bearer token for a request; null if requests have none. */
  readonly token: () => Promise<string | null>;
}

/** The folder into which the kubelet mounts the credentials of a pod's service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/** How long a token is cached. The kubelet rotates it after 80 % of its lifetime, which is an hour or more. */
const TOKEN_MS = 60_000;

/**
 * The connection of a pod, from the credentials that the kubelet mounts.
 *
 * @param now a monotonic clock, in ms
 * @returns null outside a cluster
 * @throws errors of reading the authority
 */
export async function podConnection(
  environment: NodeJS.ProcessEnv,
  folder = SERVICE_ACCOUNT,
  now = () => performance.now(),
): Promise<KubeConnection | null> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (host === '') return null;
  const isIpv6 = host.includes(':');
  return {
    server: `https://${isIpv6 ? `[${host}]` : host}:${port}`,
    ca: await readFile(join(folder, 'ca.crt'), 'utf8'),
    token: tokenOfFile(join(folder, 'token'), now),
  };
}

/** The namespace of a pod. */
export async function podNamespace(folder = SERVICE_ACCOUNT): Promise<string> {
  return (await readFile(join(folder, 'namespace'), 'utf8')).trim();
}

/** Reads the file again after {@link TOKEN_MS}, because the kubelet rotates the token. */
function tokenOfFile(file: string, now: () => number): () => Promise<string> {
  let kept = { token: '', until: -Infinity };
  return async () => {
    if (now() < kept.until) return kept.token;
    const token = (await readFile(file, 'utf8')).trim();
    kept = { token, until: now() + TOKEN_MS };
    return token;
  };
}
