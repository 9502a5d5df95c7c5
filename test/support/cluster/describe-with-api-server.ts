import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';

/** How long a suite waits for its server. */
export const SERVER_START_MS = 60_000;

/** A suite that needs an API server; named as skipped where `make test-cluster` has not built one. */
export function describeWithApiServer(name: string, body: () => void): void {
  if (existsSync('.cache/cluster/bin/kube')) describe(name, body);
  else describe.skip(`${name} [skipped: no Kubernetes; make test-cluster builds one]`, body);
}
