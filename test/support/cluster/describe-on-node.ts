import { describe } from '@jest/globals';

/** Describes a suite that needs real pods. It is skipped if `make e2e` has not started a node. */
export function describeOnNode(name: string, body: () => void): void {
  if (process.env.SIGHTLINE_TEST_NODE !== undefined) describe(name, body);
  else describe.skip(`${name} [skipped: no Kubernetes node; make e2e starts one]`, body);
}
