import type { Send } from '../../client/create-send.ts';
import type { OperationBody } from '../../client/operations.ts';
import { addResults, type FaceResult, faceResult, NO_FACES } from '../../faces/face-result.ts';

type SuggestedFace = Pick<OperationBody<'getImage'>['faces'][number], 'id' | 'identity_id'>;

export interface ConfirmedFaces {
  readonly result: FaceResult;
  /** The operations with which the confirmations can be taken back. */
  readonly operations: readonly number[];
  /** The reason why the remaining faces were not confirmed. */
  readonly error: Error | null;
}

/** Confirms the suggested names until a request fails. A request has the faces of one identity. */
export async function confirmFaces(
  send: Send,
  faces: readonly SuggestedFace[],
): Promise<ConfirmedFaces> {
  const operations: number[] = [];
  let result = NO_FACES;
  for (const [identityId, same] of Map.groupBy(faces, ({ identity_id: id }) => id)) {
    const ids = same.map(({ id }) => id);
    const body = { action: 'confirm', identity_id: identityId!, detection_ids: ids } as const;
    try {
      const { body: answer, operationId } = await send('reviewFaces', { body });
      if ('processed' in answer) {
        result = addResults(result, faceResult(answer.processed, answer.errors));
      }
      if (operationId !== null) operations.push(operationId);
    } catch (error) {
      return { result, operations, error: error as Error };
    }
  }
  return { result, operations, error: null };
}
