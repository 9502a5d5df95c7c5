import { actOnFace, type ActOnFaceRequest } from '@sightline/core/curation/act-on-face';
import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';
import type { Settle } from '@sightline/core/database/database';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../../context/api-context.ts';
import type { Answer } from '../../http/define-route.ts';

interface DecisionRequest<A extends Answer> {
  readonly path: { readonly id: number };
  readonly scope: Scope;
  readonly signal: AbortSignal;
  settle<Result>(present: (result: Result) => A): Settle<Result> | undefined;
}

/** A person's decision about a detection, and the presentation of its result. */
interface Decision<A extends Answer> extends Pick<ActOnFaceRequest, 'action' | 'target'> {
  readonly present: (acted: ActedFace) => A;
}

/**
 * Carries out a person's decision about the detection in the path, and answers with the new state of the detection.
 *
 * @throws the errors of `actOnFace`
 */
export async function answerDecision<A extends Answer>(
  { database, modelStore }: ApiContext,
  request: DecisionRequest<A>,
  { present, ...decision }: Decision<A>,
): Promise<A> {
  const { path, scope, signal } = request;
  const acted = await actOnFace(
    { database, models: modelStore },
    { scope, id: path.id, ...decision },
    { signal, settle: request.settle(present) },
  );
  return present(acted);
}
