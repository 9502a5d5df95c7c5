import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator } from '../../testing/curator.ts';
import { facesInRow } from '../../testing/people.ts';

let api: ApiServer;
let curator: Curator;
let anna: number;
let berta: number;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  curator = new Curator(api);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
  anna = (await curator.enroll('Anna', '0')).identity;
  berta = (await curator.enroll('Berta', '180')).identity;
});
afterAll(() => api[Symbol.asyncDispose]());

type Body = Parameters<typeof api.client.reviewFaces>[0]['body'];

/** The time of a list that is read now. Faces of the next requests wait from a later millisecond on. */
async function lookedAt(): Promise<string> {
  const { as_of } = (await api.client.listSuggestionGroups()).body!;
  await delay(2);
  return as_of;
}

async function review(body: Partial<Body>, client = api.client) {
  return client.reviewFaces({ body: { action: 'confirm', ...body } });
}

async function statusOf(...ids: readonly number[]) {
  const answers = ids.map((id) => api.client.getDetection({ path: { id } }));
  const shown = await Promise.all(answers);
  return shown.map(({ body }) => [body!.review_status, body!.identity_id]);
}

const ofAnna = () => ({ suggested_identity_id: anna });

describe('POST /api/review/bulk by a filter', () => {
  test('decides about the faces that waited when the list was read', async () => {
    const [first, second, third] = await curator.detect('50 55 60');
    const [other] = await curator.detect('130');
    const as_of = await lookedAt();
    const [later] = await curator.detect('52');
    const filter = { where: ofAnna(), as_of, except: [second!] };
    expect((await review({ ...filter, dry_run: true })).body).toEqual({ count: 2 });
    const { body } = await review(filter);
    expect(body).toEqual({ processed: 2, failed: 0, errors: [] });
    expect(await statusOf(first, third!)).toEqual([
      ['confirmed', anna],
      ['confirmed', anna],
    ]);
    expect(await statusOf(second!, later, other)).toEqual([
      ['pending', null],
      ['pending', anna],
      ['pending', berta],
    ]);
    expect((await review(filter)).body).toMatchObject({ processed: 0 });
  });

  test('leaves out what was decided since, and what waits again', async () => {
    const [first, second, third] = await curator.detect('50 55 60');
    const as_of = await lookedAt();
    await curator.confirm(first, berta);
    await api.client.rejectFace({ path: { id: second! } });
    await api.client.unassignFace({ path: { id: second! } });
    const { body } = await review({ where: ofAnna(), as_of });
    expect(body).toEqual({ processed: 1, failed: 0, errors: [] });
    expect(await statusOf(first, second!, third!)).toEqual([
      ['confirmed', berta],
      ['pending', null],
      ['confirmed', anna],
    ]);
  });

  test('selects by similarity and by time', async () => {
    const ids = await curator.detect('50 55 60');
    const as_of = await lookedAt();
    const count = async (where: NonNullable<Body['where']>) =>
      (await review({ where, as_of, identity_id: anna, dry_run: true })).body;
    expect(await count({ min_similarity: 0.55 })).toEqual({ count: 2 });
    expect(await count({ max_similarity: 0.55 })).toEqual({ count: 1 });
    expect(await count({ min_similarity: 0.55, max_similarity: 0.6 })).toEqual({ count: 1 });
    expect(await count({ ...ofAnna(), min_similarity: 0.99 })).toEqual({ count: 0 });
    const { body } = await api.client.getDetection({ path: { id: ids[0] } });
    const at = body!.detected_at;
    expect(await count({ detected_since: at })).toEqual({ count: 3 });
    expect(await count({ detected_until: at })).toEqual({ count: 0 });
    expect(await count({ ...ofAnna(), detected_since: at })).toEqual({ count: 3 });
    expect(await count({ ...ofAnna(), detected_until: at })).toEqual({ count: 0 });
  });

  test('takes other actions, with another identity for confirm and reassign', async () => {
    const [first, second] = await curator.detect('50 60');
    const as_of = await lookedAt();
    const near = { ...ofAnna(), min_similarity: 0.6 };
    await review({ where: near, as_of, action: 'reassign', identity_id: berta });
    await review({ where: ofAnna(), as_of, action: 'reject' });
    expect(await statusOf(first, second!)).toEqual([
      ['confirmed', berta],
      ['rejected', null],
    ]);
  });

  test('refuses what is incomplete, unclear or for a client that cannot wait', async () => {
    const as_of = await lookedAt();
    const refused: readonly (readonly [Partial<Body>, string])[] = [
      [{}, 'detection_ids'],
      [{ detection_ids: [1], where: ofAnna(), as_of }, 'detection_ids'],
      [{ where: ofAnna() }, 'as_of'],
      [{ where: ofAnna(), as_of: 'yesterday' }, 'as_of'],
      [{ where: {}, as_of }, 'where'],
      [{ where: { min_similarity: 2 }, as_of }, 'where.min_similarity'],
      [{ where: { min_similarity: 0.5 }, as_of }, 'identity_id'],
      [{ where: ofAnna(), as_of, action: 'restore' }, 'action'],
      [{ detection_ids: [1], identity_id: anna, dry_run: true }, 'dry_run'],
      [{ detection_ids: [1], identity_id: anna, except: [1] }, 'except'],
    ];
    for (const [body, path] of refused) {
      const { problem } = await review(body);
      expect({ body, problem }).toMatchObject({ problem: { status: 400 } });
      expect(JSON.stringify(problem)).toContain(path);
    }
    const unknown = await review({ where: { suggested_identity_id: 999_999_999 }, as_of });
    expect(unknown.problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('is for keys with full rights and for reviewers who are signed in', async () => {
    const [first] = await curator.detect('50');
    const as_of = await lookedAt();
    const key = await api.clientOf({ right: 'review' });
    for (const dry_run of [true, false]) {
      const { problem } = await review({ where: ofAnna(), as_of, dry_run }, key);
      expect(problem).toMatchObject({ status: 403, code: 'forbidden' });
    }
    const ids = { detection_ids: [first], identity_id: anna };
    expect((await review(ids, key)).body).toMatchObject({ processed: 1 });
    const member = await api.clientOfAccount();
    const where = { min_similarity: 0.5 };
    expect((await review({ where, as_of, action: 'reject', dry_run: true }, member)).body).toEqual({
      count: 0,
    });
  });

  test('answers a retry with the same answer', async () => {
    await curator.detect('50 60');
    const as_of = await lookedAt();
    const body: Body = { where: ofAnna(), as_of, action: 'confirm' };
    const headers = { 'Idempotency-Key': 'once' };
    const first = await api.client.reviewFaces({ body, headers });
    const again = await api.client.reviewFaces({ body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('names the number of faces if they are too many', async () => {
    await curator.detect(Array.from({ length: 1001 }, () => '90').join(' '));
    const as_of = await lookedAt();
    const where = { detected_since: '2020-01-01' };
    const filter = { where, as_of, identity_id: anna };
    expect((await review({ ...filter, dry_run: true })).body).toEqual({ count: 1001 });
    const { problem } = await review(filter);
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', count: 1001 });
    expect(problem!.detail).toContain('1001');
    const { items } = (await api.client.listReviewQueue()).body!;
    const except = [items[0]!.detection_id];
    const { body } = await review({ ...filter, action: 'reject', except });
    expect(body).toEqual({ processed: 1000, failed: 0, errors: [] });
    expect((await api.client.countReviewQueue()).body).toEqual({ count: 1 });
  });
});

test('POST /api/review/bulk?async=true starts a job, whatever the number of faces', async () => {
  await curator.detect('50 55 60');
  const as_of = await lookedAt();
  const body = { action: 'confirm', where: ofAnna(), as_of } as const;
  const answer = await api.client.reviewFaces({ query: { async: true }, body });
  expect(answer).toMatchObject({ status: 202, body: { status: 'pending', total: 3 } });
  const { job_id: id } = answer.body as { readonly job_id: number };
  const { body: job } = await api.client.getJob({ path: { id } });
  const operation_id = Number(answer.headers.get('x-operation-id'));
  expect(job).toMatchObject({ type: 'bulk_review', unit: 'detections', operation_id });
});

test('POST /api/review/bulk?async=true is for filters alone', async () => {
  const [face] = await curator.detect('50');
  const { problem } = await api.client.reviewFaces({
    query: { async: true },
    body: { action: 'reject', detection_ids: [face] },
  });
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
});
