import { freshPhoto } from '../../support/fixtures/draw-photo.ts';
import { GREATEST_IDENTITY } from './library-reads.ts';
import type { LibraryRequest, LibraryService } from './library-service.ts';

/** A measured change. Times are in milliseconds. */
export interface Change {
  readonly change: string;
  readonly times: readonly number[];
  /** The longest wait of a client that wrote at the same time. */
  readonly longestWait?: number;
}

const ACTIONS = 60;
const BULK = 1000;
/** The identity that the greatest one is merged into. */
const TARGET = 2;
const DELETED: ReadonlySet<number> = new Set([GREATEST_IDENTITY, TARGET]);
const NEEDS_IDENTITY = ['confirm', 'reassign'];

interface Faces {
  readonly items: readonly { readonly detection_id: number; readonly identity_id?: number }[];
  readonly next_cursor: string | null;
}

/** Measures changes that people make. Their order leaves enough detections for each of them. */
export async function measureChanges(service: LibraryService): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const add = (change: Change) => {
    console.error(JSON.stringify(change));
    changes.push(change);
  };
  const labeled = await facesOf(service, '/api/face-embeddings', ACTIONS);
  const relabels = labeled.map((id) => relabel(id, someone(service)));
  add({ change: 'relabel of one detection', times: await timeEach(service, relabels) });
  for (const action of ['confirm', 'unassign', 'reject', 'restore', 'reassign']) {
    const ids = await openFaces(service, action, ACTIONS);
    const requests = ids.map((id) => ({
      method: 'POST' as const,
      path: `/api/review/${id}/${action}`,
      ...(NEEDS_IDENTITY.includes(action) && { body: { identity_id: someone(service) } }),
    }));
    add({ change: `${action} of one face`, times: await timeEach(service, requests) });
  }
  for (const action of ['confirm', 'reject', 'restore', 'reassign', 'unassign']) {
    const ids = await openFaces(service, action, BULK);
    const request = bulk(action, ids);
    add({
      change: `${action} of ${BULK.toLocaleString('en')} faces in bulk`,
      times: await timeEach(service, [request]),
    });
  }
  const into = { into: TARGET };
  const path = `/api/identities/${GREATEST_IDENTITY}/merge`;
  const merge = { method: 'POST', path, body: into } as const;
  add({ change: 'merge of 20,000 detections', ...(await timeBesideWriter(service, merge)) });
  const deletion = { method: 'DELETE', path: `/api/identities/${TARGET}` } as const;
  add({
    change: 'delete of an identity with 20,000 detections',
    ...(await timeBesideWriter(service, deletion)),
  });
  return changes;
}

/** Faces for the action. Before a restore they are rejected, so that there is something to restore. */
async function openFaces(
  service: LibraryService,
  action: string,
  count: number,
): Promise<readonly number[]> {
  const ids = await facesOf(service, '/api/review', count);
  if (action === 'restore') await timeEach(service, [bulk('reject', ids)]);
  return ids;
}

function bulk(action: string, ids: readonly number[]): LibraryRequest {
  const identity = NEEDS_IDENTITY.includes(action) && { identity_id: TARGET + 1 };
  const body = { detection_ids: ids, action, ...identity };
  return { method: 'POST', path: '/api/review/bulk', body };
}

/** The first detections of a list, without those of the identities that later measurements merge and delete. */
async function facesOf(
  service: LibraryService,
  path: string,
  count: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = ''; cursor !== null && ids.length < count;) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Faces = await service.ask<Faces>({ path: `${path}?limit=200${after}` });
    const others = page.items.filter(({ identity_id: id }) => id === undefined || !DELETED.has(id));
    ids.push(...others.map(({ detection_id: id }) => id));
    cursor = page.next_cursor;
  }
  return ids.slice(0, count);
}

/** A random identity that no measurement merges or deletes. */
function someone(service: LibraryService): number {
  return 100 + service.number(Math.floor(service.size.identities / 2));
}

/** @throws Error if a bulk request leaves faces unchanged */
async function timeEach(
  service: LibraryService,
  requests: readonly LibraryRequest[],
): Promise<number[]> {
  const times: number[] = [];
  for (const request of requests) {
    const start = performance.now();
    const answer = await service.text(request);
    times.push(performance.now() - start);
    const { failed = 0 } = (answer && JSON.parse(answer)) as { readonly failed?: number };
    if (failed > 0) throw new Error(`${failed} of the faces cannot be changed.`);
  }
  return times;
}

/**
 * Times a long change. Until it ends, another client labels faces, also with the merge's target, and enrolls
 * people.
 */
async function timeBesideWriter(
  service: LibraryService,
  request: LibraryRequest,
): Promise<Omit<Change, 'change'>> {
  const isMerge = request.method === 'POST';
  const ids = await facesOf(service, '/api/face-embeddings', 10 * BULK);
  const over = new AbortController();
  let longestWait = 0;
  const writing = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const identity = isMerge && i % 4 === 0 ? TARGET : someone(service);
      const next = i % 4 === 3 ? await enrollment(i) : relabel(ids[i % ids.length]!, identity);
      longestWait = Math.max(longestWait, await service.time(next));
    }
  })();
  const time = await service.time(request);
  over.abort();
  await writing;
  return { times: [time], longestWait };
}

async function enrollment(at: number): Promise<LibraryRequest> {
  const form = new FormData();
  form.set('name', `Newcomer ${at}`);
  form.set('file', await freshPhoto({ faces: [`Newcomer ${at}`] }));
  return { method: 'POST', path: '/api/faces/enroll', body: form };
}

function relabel(id: number, identity: number): LibraryRequest {
  return { method: 'PUT', path: `/api/detections/${id}/label`, body: { identity_id: identity } };
}
