import { freshPhoto } from '../../support/fixtures/draw-photo.ts';
import { median, percentile } from '../statistics.ts';
import { GREATEST_IDENTITY, type LibrarySubjects } from './library-reads.ts';
import type { LibraryRequest, LibraryService } from './library-service.ts';

export interface ChangeFigures {
  readonly change: string;
  /** The milliseconds of one change, or the median of several. */
  readonly p50: number;
  readonly p95: number | null;
  /** The longest wait of a client that wrote at the same time, in milliseconds; null without one. */
  readonly longestWait: number | null;
}

const ACTIONS = 60;
const BULK = 1000;
/** The identity that the greatest one is merged into. */
const TARGET = 2;
const DELETED: ReadonlySet<number> = new Set([GREATEST_IDENTITY, TARGET]);

interface Faces {
  readonly items: readonly { readonly detection_id: number; readonly identity_id?: number }[];
  readonly next_cursor: string | null;
}

/** Measures changes that people make. Their order leaves enough detections for each of them. */
export async function measureChanges(
  service: LibraryService,
  subjects: LibrarySubjects,
): Promise<readonly ChangeFigures[]> {
  const figures = [await measureRelabels(service, subjects)];
  for (const action of ['confirm', 'unassign', 'reject', 'restore', 'reassign'] as const) {
    figures.push(await measureAction(service, subjects, action));
  }
  for (const action of ['confirm', 'reject', 'restore', 'reassign', 'unassign'] as const) {
    figures.push(await measureBulk(service, action));
  }
  figures.push(
    await besideWriter(service, subjects, {
      change: 'merge of 20,000 detections',
      request: {
        method: 'POST',
        path: `/api/identities/${GREATEST_IDENTITY}/merge`,
        body: { into: TARGET },
      },
    }),
  );
  figures.push(
    await besideWriter(service, subjects, {
      change: 'delete of an identity with 20,000 detections',
      request: { method: 'DELETE', path: `/api/identities/${TARGET}` },
    }),
  );
  for (const { change, ...times } of figures) console.error(`${change}: ${JSON.stringify(times)}`);
  return figures;
}

async function measureRelabels(
  service: LibraryService,
  subjects: LibrarySubjects,
): Promise<ChangeFigures> {
  const ids = await facesOf(service, '/api/face-embeddings', ACTIONS);
  const requests = ids.map((id) => relabel(id, someone(subjects)));
  return timeEach(service, 'relabel of one detection', requests);
}

const NEEDS_IDENTITY = ['confirm', 'reassign'];

async function measureAction(
  service: LibraryService,
  subjects: LibrarySubjects,
  action: string,
): Promise<ChangeFigures> {
  const ids = await openFaces(service, action, ACTIONS);
  const requests = ids.map((id) => ({
    method: 'POST' as const,
    path: `/api/review/${id}/${action}`,
    ...(NEEDS_IDENTITY.includes(action) && { body: { identity_id: someone(subjects) } }),
  }));
  return timeEach(service, `${action} of one face`, requests);
}

const BULK_REQUEST = { method: 'POST', path: '/api/review/bulk' } as const;

async function measureBulk(service: LibraryService, action: string): Promise<ChangeFigures> {
  const change = `${action} of ${BULK.toLocaleString('en')} faces in bulk`;
  const ids = await openFaces(service, action, BULK);
  const start = performance.now();
  await bulk(service, {
    detection_ids: ids,
    action,
    ...(NEEDS_IDENTITY.includes(action) && { identity_id: TARGET + 1 }),
  });
  return { change, p50: performance.now() - start, p95: null, longestWait: null };
}

/** Faces for the action. Before a restore they are rejected, so that there is something to restore. */
async function openFaces(
  service: LibraryService,
  action: string,
  count: number,
): Promise<readonly number[]> {
  const ids = await facesOf(service, '/api/review', count);
  if (action === 'restore') await bulk(service, { action: 'reject', detection_ids: ids });
  return ids;
}

async function bulk(service: LibraryService, body: object): Promise<void> {
  const { failed } = await service.ask<{ failed: number }>({ ...BULK_REQUEST, body });
  if (failed > 0) throw new Error(`${failed} of the faces cannot be changed.`);
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
function someone({ number, identities }: LibrarySubjects): number {
  return 100 + number(Math.floor(identities / 2));
}

async function timeEach(
  service: LibraryService,
  change: string,
  requests: readonly LibraryRequest[],
): Promise<ChangeFigures> {
  const milliseconds: number[] = [];
  for (const request of requests) milliseconds.push(await service.time(request));
  const p95 = milliseconds.length > 1 ? percentile(milliseconds, 0.95) : null;
  return { change, p50: median(milliseconds), p95, longestWait: null };
}

interface LongChange {
  readonly change: string;
  readonly request: LibraryRequest;
}

/**
 * Times a long change. Until it ends, another client labels faces, also with the merge's target, and enrolls
 * people.
 */
async function besideWriter(
  service: LibraryService,
  subjects: LibrarySubjects,
  { change, request }: LongChange,
): Promise<ChangeFigures> {
  const isMerge = request.method === 'POST';
  const ids = await facesOf(service, '/api/face-embeddings', 10 * BULK);
  const over = new AbortController();
  let longestWait = 0;
  const writing = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const next = await nextWrite(subjects, { id: ids[i % ids.length]!, i, isMerge });
      longestWait = Math.max(longestWait, await service.time(next));
    }
  })();
  const time = await service.time(request);
  over.abort();
  await writing;
  return { change, p50: time, p95: null, longestWait };
}

async function nextWrite(
  subjects: LibrarySubjects,
  { id, i, isMerge }: { readonly id: number; readonly i: number; readonly isMerge: boolean },
): Promise<LibraryRequest> {
  if (i % 4 === 3) {
    const form = new FormData();
    form.set('name', `Newcomer ${i}`);
    form.set('file', await freshPhoto({ faces: [`Newcomer ${i}`] }));
    return { method: 'POST', path: '/api/faces/enroll', body: form };
  }
  const identity = isMerge && i % 4 === 0 ? TARGET : someone(subjects);
  return relabel(id, identity);
}

function relabel(id: number, identity: number): LibraryRequest {
  return { method: 'PUT', path: `/api/detections/${id}/label`, body: { identity_id: identity } };
}
