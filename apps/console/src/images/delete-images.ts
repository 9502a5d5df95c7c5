import type { Api } from '../client/api.ts';
import { isProblem, ProblemError } from '../client/api-error.ts';

const AT_ONCE = 4;
const MAX_REQUESTS = 5;

export interface DeletedImages {
  readonly deleted: readonly number[];
  /** The operations with which the images can be brought back. */
  readonly operationIds: readonly number[];
  /** The reason of the first image that could not be deleted. */
  readonly error: Error | null;
}

/** Deletes single images. One that was deleted elsewhere counts as deleted. */
export async function deleteImages(
  api: Pick<Api, 'send'>,
  ids: readonly number[],
): Promise<DeletedImages> {
  const deleted: number[] = [];
  const operationIds: number[] = [];
  const errors: Error[] = [];
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        const operationId = await deleteImage(api, id);
        deleted.push(id);
        if (operationId !== null) operationIds.push(operationId);
      } catch (error) {
        errors.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { deleted, operationIds, error: errors[0] ?? null };
}

async function deleteImage(
  api: Pick<Api, 'send'>,
  id: number,
  request = 1,
): Promise<number | null> {
  try {
    return (await api.send('deleteImage', { path: { id } })).operationId;
  } catch (error) {
    if (isProblem(error, 'not_found')) return null;
    const isLimited = error instanceof ProblemError && error.problem.status === 429;
    if (!isLimited || request === MAX_REQUESTS) throw error;
    const pause = (error.retryAfter ?? 1) * 1000;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return deleteImage(api, id, request + 1);
  }
}
