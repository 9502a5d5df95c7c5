import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';

/**
 * Describes a suite that needs an API server. It is skipped if `make cluster` has not built the
 * server.
 */
export function describeWithApiServer(name: string, body: () => void): void {
  if (existsSync('.cache/cluster/bin/kube')) describe(name, body);
  else describe.skip(`${name} [skipped: no Kubernetes; make test-cluster builds one]`, body);
}
