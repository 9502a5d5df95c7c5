import { expect, test } from '@jest/globals';
import type { Send } from '../../client/create-send.ts';
import { confirmFaces } from './confirm-faces.ts';

const FACES = [
  { id: 1, identity_id: 10 },
  { id: 2, identity_id: 20 },
  { id: 3, identity_id: 10 },
  { id: 4, identity_id: 30 },
];

/**
 * A service that gives each request the next operation, but for the second one, whose face no longer exists.
 *
 * @param failing the number of the request that fails
 */
function fakeSend(failing?: number) {
  const asked: (readonly number[])[] = [];
  const send = (_: string, { body }: { body: { detection_ids: readonly number[] } }) => {
    asked.push(body.detection_ids);
    if (asked.length === failing) return Promise.reject(new Error('deleted elsewhere'));
    const isMissing = asked.length === 2;
    const errors = isMissing ? [{ detection_id: 2, error: { code: 'not_found', detail: '' } }] : [];
    const processed = body.detection_ids.length - errors.length;
    return Promise.resolve({
      body: { processed, failed: errors.length, errors },
      operationId: isMissing ? null : asked.length,
    });
  };
  return { asked, send: send as unknown as Send };
}

test('the faces of each identity are confirmed with one request', async () => {
  const { asked, send } = fakeSend();
  expect(await confirmFaces(send, FACES)).toEqual({
    result: { done: 3, failed: 1, missing: 1 },
    operations: [1, 3],
    error: null,
  });
  expect(asked).toEqual([[1, 3], [2], [4]]);
});

test('what was confirmed before a failure can still be taken back', async () => {
  const { asked, send } = fakeSend(3);
  expect(await confirmFaces(send, FACES)).toEqual({
    result: { done: 2, failed: 1, missing: 1 },
    operations: [1],
    error: new Error('deleted elsewhere'),
  });
  expect(asked).toHaveLength(3);
});
