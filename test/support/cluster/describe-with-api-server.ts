import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';

/** Timeout of the start of a suite's server, in ms. */
export const SERVER_START_MS = 60_000;

/** A suite that needs an API server; skipped if `make cluster` has not built one. */
export function describeWithApiServer(name: string, body: () => void): void {
  if (existsSync('.cache/cluster/bin/kube')) describe(name, body);
  else describe.skip(`${name} [skipped: no Kubernetes; make test-cluster builds one]`, body);
}
