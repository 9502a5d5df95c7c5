import { freshPhoto } from '../../support/fixtures/draw-photo.ts';
import { median, percentile } from '../statistics.ts';
import { GREATEST_IDENTITY, type LibrarySubjects } from './library-reads.ts';
import type { LibraryRequest, LibraryService } from './library-service.ts';

export interface ChangeFigures {
  readonly change: string;
  /** Null if the service has no such endpoint. */
  readonly answer: {
    /** Milliseconds: of one, or the median of several. */
    readonly p50: number;
    readonly p95: number | null;
    /** The longest that another writer waited meanwhile, in milliseconds, if there was one. */
    readonly longestWait: number | null;
  } | null;
}

const ACTIONS = 60;
const BULK = 1000;
/** The identity that the greatest one merges into, and which then has all of its detections. */
const TARGET = 2;
const GOING: ReadonlySet<number> = new Set([GREATEST_IDENTITY, TARGET]);

interface Faces {
  readonly items: readonly { readonly detection_id: number; readonly identity_id?: number }[];
  readonly next_cursor: string | null;
}

/** What people change, in an order in which the one leaves enough for the other. */
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
      path: '/api/identities/{id}/merge',
      request: {
        method: 'POST',
        path: `/api/identities/${GREATEST_IDENTITY}/merge`,
        body: { into: TARGET },
      },
    }),
  );
  // If there is no merge, the greatest one is still there.
  const whole = service.offers('POST', '/api/identities/{id}/merge') ? TARGET : GREATEST_IDENTITY;
  figures.push(
    await besideWriter(service, subjects, {
      change: 'delete of an identity with 20,000 detections',
      path: '/api/identities/{id}',
      request: { method: 'DELETE', path: `/api/identities/${whole}` },
    }),
  );
  for (const { change, answer } of figures) {
    console.error(`${change}: ${answer === null ? 'not there' : JSON.stringify(answer)}`);
  }
  return figures;
}

async function measureRelabels(
  service: LibraryService,
  subjects: LibrarySubjects,
): Promise<ChangeFigures> {
  const ids = await facesOf(service, '/api/face-embeddings', ACTIONS);
  return timeEach(service, 'relabel of one detection', {
    path: '/api/detections/{id}/label',
    method: 'PUT',
    requests: ids.map((id) => ({
      method: 'PUT',
      path: `/api/detections/${id}/label`,
      body: { identity_id: someone(subjects) },
    })),
  });
}

const NEEDS_IDENTITY = ['confirm', 'reassign'];

async function measureAction(
  service: LibraryService,
  subjects: LibrarySubjects,
  action: string,
): Promise<ChangeFigures> {
  const path = `/api/review/{id}/${action}`;
  const ids = service.offers('POST', path) ? await openFaces(service, action, ACTIONS) : [];
  return timeEach(service, `${action} of one face`, {
    path,
    method: 'POST',
    requests: ids.map((id) => ({
      method: 'POST',
      path: path.replace('{id}', String(id)),
      ...(NEEDS_IDENTITY.includes(action) && { body: { identity_id: someone(subjects) } }),
    })),
  });
}

const BULK_REQUEST = { method: 'POST', path: '/api/review/bulk' } as const;

async function measureBulk(service: LibraryService, action: string): Promise<ChangeFigures> {
  const change = `${action} of ${BULK.toLocaleString('en')} faces in bulk`;
  if (!service.offers(BULK_REQUEST.method, BULK_REQUEST.path)) return { change, answer: null };
  const ids = await openFaces(service, action, BULK);
  const start = performance.now();
  await bulk(service, {
    detection_ids: ids,
    action,
    ...(NEEDS_IDENTITY.includes(action) && { identity_id: TARGET + 1 }),
  });
  return { change, answer: { p50: performance.now() - start, p95: null, longestWait: null } };
}

/** Faces that the action changes: those to restore are rejected first. */
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

/** Detections of a list, but none of the identities that go. */
async function facesOf(
  service: LibraryService,
  path: string,
  count: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = ''; cursor !== null && ids.length < count;) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Faces = await service.ask<Faces>({ path: `${path}?limit=200${after}` });
    const others = page.items.filter(({ identity_id: id }) => id === undefined || !GOING.has(id));
    ids.push(...others.map(({ detection_id: id }) => id));
    cursor = page.next_cursor;
  }
  return ids.slice(0, count);
}

/** Neither the greatest identity nor the one that it merges into. */
function someone({ number, identities }: LibrarySubjects): number {
  return 100 + number(Math.floor(identities / 2));
}

interface TimedChange {
  readonly path: string;
  readonly method: 'POST' | 'PUT';
  readonly requests: readonly LibraryRequest[];
}

async function timeEach(
  service: LibraryService,
  change: string,
  { path, method, requests }: TimedChange,
): Promise<ChangeFigures> {
  if (!service.offers(method, path)) return { change, answer: null };
  const milliseconds: number[] = [];
  for (const request of requests) milliseconds.push(await service.time(request));
  const p95 = milliseconds.length > 1 ? percentile(milliseconds, 0.95) : null;
  return { change, answer: { p50: median(milliseconds), p95, longestWait: null } };
}

interface LongChange {
  readonly change: string;
  readonly path: string;
  readonly request: LibraryRequest;
}

/** While it lasts, another client names faces, also as the identity that is merged into, and enrolls. */
async function besideWriter(
  service: LibraryService,
  subjects: LibrarySubjects,
  { change, path, request }: LongChange,
): Promise<ChangeFigures> {
  if (!service.offers(request.method!, path)) return { change, answer: null };
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
  return { change, answer: { p50: time, p95: null, longestWait } };
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
  return { method: 'PUT', path: `/api/detections/${id}/label`, body: { identity_id: identity } };
}
