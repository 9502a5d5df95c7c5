import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeConnection } from '@sightline/kube/kube-connection';

/**
 * Returns an administrator's connection.
 * @param folder the folder of a control plane (`RUN` of control-plane.sh)
 */
export async function adminConnection(folder: string, server: string): Promise<KubeConnection> {
  const read = (file: string) => readFile(join(folder, 'pki', file), 'utf8');
  const certificate = { cert: await read('admin.crt'), key: await read('admin.key') };
  return { server, ca: await read('ca.crt'), certificate, token: () => Promise.resolve(null) };
}
