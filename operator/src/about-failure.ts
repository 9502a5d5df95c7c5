import { KubeRefusal } from '@sightline/kube/kube-errors';

/** The members of a log line about a failure. The message of a refusal says everything, so its stack is omitted. */
export function aboutFailure(error: unknown): { refusal: string } | { err: unknown } {
  return error instanceof KubeRefusal ? { refusal: error.summary } : { err: error };
}
