import type { Api } from '../client/api.ts';
import { isProblem, isTemporary, ProblemError } from '../client/api-error.ts';
import type { OperationBody } from '../client/operations.ts';
import { pause } from '../client/pause.ts';
import { checkPhoto, PhotoFaultError } from './check-photo.ts';
import type { Upload } from './upload.ts';
import type { ReportUpload, UploadQueueOptions, UploadUnit } from './upload-queue.ts';

/** The service could not process a photo of a job. */
export class JobItemError extends Error {
  override readonly name = 'JobItemError';
}

/** The time after which a request is repeated if the service does not say when, in seconds. */
const USUAL_PAUSE = 5;
/** The time between two looks at a job, in ms. */
const POLL_MS = 1_000;
/** External references have at most this number of characters. */
const MAX_REF_LENGTH = 1_000;

const OPERATIONS = {
  faces: 'detectFaces',
  objects: 'detectObjects',
  all: 'detectAll',
} as const;

/** A request whose refusal may be due to a few of its photos has one of these statuses. */
const STATUSES_OF_SOME = [400, 409, 413, 415, 422];

export interface Sending {
  readonly uploads: readonly Upload[];
  readonly key: string;
  readonly report: ReportUpload;
  readonly signal: AbortSignal;
}

/**
 * Creates the function that sends a unit of a queue: one photo by itself, several as a job.
 *
 * @param maxBytes the size of the largest image that the service accepts; null while it is not known
 */
export function createSender(api: Api, maxBytes: () => number | null): UploadQueueOptions['send'] {
  return async (unit, report, signal) => {
    const uploads = await acceptable(unit, report, maxBytes());
    const sending = { uploads, key: unit.key, report, signal };
    if (uploads.length === 0) return;
    if (unit.uploads.length === 1) await sendOne(api, sending);
    else await sendBatch(api, sending);
  };
}

/** A session that has ended is renewed over the page, so uploads wait for that. */
export function pauseAfter(error: unknown): number | null {
  if (!isTemporary(error) && !isProblem(error, 'unauthenticated')) return null;
  return (error instanceof ProblemError ? error.retryAfter : null) ?? USUAL_PAUSE;
}

export function mayBeOfSome(error: unknown): boolean {
  return error instanceof ProblemError && STATUSES_OF_SOME.includes(error.problem.status);
}

/** The photos that can be sent. Files that are no photos fail here, before any of their bytes are sent. */
async function acceptable(
  { uploads }: UploadUnit,
  report: ReportUpload,
  maxBytes: number | null,
): Promise<readonly Upload[]> {
  const accepted: Upload[] = [];
  for (const upload of uploads) {
    const { file, url } = upload.source;
    try {
      if (url === undefined && file === undefined) throw new PhotoFaultError('unreadable');
      if (file !== undefined) await checkPhoto(file, maxBytes);
      accepted.push(upload);
    } catch (error) {
      report(upload, { name: 'failed', error: error as Error });
    }
  }
  return accepted;
}

async function sendOne(api: Api, { uploads, key, report, signal }: Sending): Promise<void> {
  const upload = uploads[0]!;
  const { source, choices } = upload;
  const run = await api.read(OPERATIONS[choices.detect], {
    headers: { 'Idempotency-Key': key },
    body: {
      ...(source.file === undefined ? { image_url: source.url } : { file: source.file }),
      ...(choices.namesAreRefs && { external_ref: refOf(source.name) }),
      ...(choices.replaces && { replace: true }),
    },
    signal,
  });
  const stored = {
    imageId: run.source_image_id,
    faces: run.counts.faces,
    objects: run.counts.objects,
    isKnown: run.reused,
  };
  report(upload, { name: 'stored', stored });
}

/** Names of files may have any code units, and the service stores well-formed text. */
function refOf(name: string): string {
  return name.toWellFormed().slice(0, MAX_REF_LENGTH);
}

/** Sends photos with the same choices as a job, and follows it until each of them has ended. */
async function sendBatch(api: Api, { uploads, key, report, signal }: Sending): Promise<void> {
  const { choices } = uploads[0]!;
  const files = uploads.flatMap(({ source }) => source.file ?? []);
  const urls = uploads.flatMap(({ source }) => source.url ?? []);
  const started = await api.read('detectBulk', {
    headers: { 'Idempotency-Key': key },
    query: { async: true },
    body: {
      ...(files.length > 0 ? { file: files } : { image_urls: urls }),
      type: choices.detect,
      ...(choices.replaces && { replace: true }),
    },
    signal,
  });
  if (!('job_id' in started)) return;
  for (const upload of uploads) report(upload, { name: 'queued' });
  await followJob(api, started.job_id, { uploads, key, report, signal });
}

async function followJob(api: Api, job: number, { uploads, report, signal }: Sending) {
  const open = new Map(uploads.map((upload, index) => [index, upload]));
  while (open.size > 0) {
    await pause(POLL_MS, signal);
    signal.throwIfAborted();
    const query = { limit: uploads.length };
    const { items } = await api.read('listJobItems', { path: { id: job }, query, signal });
    for (const item of items) {
      const upload = open.get(item.index);
      const state = stateOf(item);
      if (upload === undefined || state === null) continue;
      open.delete(item.index);
      report(upload, state);
    }
  }
}

/** The state of a photo of a job; null while the job works on it. */
function stateOf(item: OperationBody<'listJobItems'>['items'][number]): Upload['state'] | null {
  const { status, source_image_id: imageId, detail, measured } = item;
  if (status === 'failed') return { name: 'failed', error: new JobItemError(detail ?? '') };
  if (status !== 'done' || imageId === null) return null;
  const { faces, objects } = measured ?? { faces: 0, objects: 0 };
  return { name: 'stored', stored: { imageId, faces, objects, isKnown: false } };
}
