import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnerReference } from './kube-object.ts';

export interface KubeConnection {
  /** The URL of the API server, such as `https://10.96.0.1:443`. */
  readonly server: string;
  /** The certificate authority of the server, as PEM; null if Node's default authorities suffice. */
  readonly ca: string | null;
  /** A client certificate and its private key, as PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Reads the bearer token for a request; null if requests carry no token. */
  readonly token: () => Promise<string | null>;
}

/** The folder into which the kubelet mounts the credentials of a pod's service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/**
 * How long a token is cached, in ms. The cached token stays valid, because the kubelet replaces it long before it
 * expires.
 */
const TOKEN_MS = 60_000;

/**
 * The connection of a pod to its cluster's API server, with the credentials that the kubelet mounts.
 *
 * @param now a monotonic clock, in ms
 * @returns null if the process does not run in a cluster
 * @throws the file system's error if the certificate authority cannot be read
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

/** The namespace of the pod in which this process runs. */
export async function podNamespace(folder = SERVICE_ACCOUNT): Promise<string> {
  return (await readFile(join(folder, 'namespace'), 'utf8')).trim();
}

/**
 * The service account of the pod in which this process runs, as the owner of objects that Kubernetes deletes together with
 * it; null if its token does not name it.
 */
export async function podServiceAccount(folder = SERVICE_ACCOUNT): Promise<OwnerReference | null> {
  const token = await readFile(join(folder, 'token'), 'utf8');
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims;
    const { name, uid } = claims['kubernetes.io'].serviceaccount;
    return { apiVersion: 'v1', kind: 'ServiceAccount', name, uid };
  } catch {
    return null;
  }
}

/** The claims of a token that the kubelet mounts. */
interface Claims {
  readonly 'kubernetes.io': {
    readonly serviceaccount: { readonly name: string; readonly uid: string };
  };
}

/** Reads the token's file again after {@link TOKEN_MS}, because the kubelet replaces the token from time to time. */
function tokenOfFile(file: string, now: () => number): () => Promise<string> {
  let kept = { token: '', until: -Infinity };
  return async () => {
    if (now() < kept.until) return kept.token;
    const token = (await readFile(file, 'utf8')).trim();
    kept = { token, until: now() + TOKEN_MS };
    return token;
  };
}
