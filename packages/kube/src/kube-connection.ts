import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How the API server is reached. */
export interface KubeConnection {
  /** Such as `https://10.96.0.1:443`. */
  readonly server: string;
  /** PEM of the authority that signed its certificate; null: one that Node trusts. */
  readonly ca: string | null;
  /** PEM of a client's certificate and key. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** The bearer token of each request; null: none. */
  readonly token: () => Promise<string | null>;
}

/** Where the kubelet puts what a pod's service account has. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/** How long a token is kept: the kubelet exchanges it when 80 % of its time, an hour or more, are over. */
const TOKEN_MS = 60_000;

/**
 * The connection of a pod, from what the kubelet gives it.
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

/** Reads a file again and again, because the kubelet exchanges it. */
function tokenOfFile(file: string, now: () => number): () => Promise<string> {
  let kept = { token: '', until: -Infinity };
  return async () => {
    if (now() < kept.until) return kept.token;
    const token = (await readFile(file, 'utf8')).trim();
    kept = { token, until: now() + TOKEN_MS };
    return token;
  };
}
