import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { Api } from '../client/api.ts';
import { isProblem, isTemporary, ProblemError } from '../client/api-error.ts';
import { useApi, useInvalidate } from '../client/api-context.tsx';
import { HEAD_BYTES, pictureFormat } from './picture-format.ts';
import { type StoredPhoto, type Upload, type UploadProgress, UploadQueue } from './upload-queue.ts';

/** The file begins like no picture that the service accepts. */
export class NoPictureError extends Error {
  override readonly name = 'NoPictureError';
}

/** The choices for all uploads, which the next request reads. */
export interface UploadChoices {
  readonly detect: 'faces' | 'objects' | 'all';
  /** Whether the name of the file becomes the external_ref of the image. */
  readonly namesAreRefs: boolean;
}

export const USUAL_CHOICES: UploadChoices = { detect: 'all', namesAreRefs: false };

interface Uploads {
  readonly queue: UploadQueue;
  readonly choose: (choices: UploadChoices) => void;
}

const UploadsContext = createContext<Uploads | null>(null);

/** The time after which a request is repeated if the service does not say when, in seconds. */
const USUAL_PAUSE = 5;
/** External references have at most this number of characters. */
const MAX_REF_LENGTH = 200;

const OPERATIONS = {
  faces: 'detectFaces',
  objects: 'detectObjects',
  all: 'detectAll',
} as const;

/** Keeps the uploads of an environment while the person goes from page to page. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const uploads = useMemo(() => createUploads(api), [api]);
  const { queue } = uploads;
  const { stored, isRunning } = useSyncExternalStore(queue.subscribe, () => queue.progress);
  useEffect(() => {
    if (stored > 0 && !isRunning) void invalidate('listImages', 'countImages');
  }, [stored, isRunning, invalidate]);
  useEffect(() => () => queue.end(), [queue]);
  useEffect(() => {
    if (!isRunning) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isRunning]);
  return <UploadsContext.Provider value={uploads}>{children}</UploadsContext.Provider>;
}

function createUploads(api: Api): Uploads {
  let choices = USUAL_CHOICES;
  const queue = new UploadQueue({
    send: (upload, signal) => sendPhoto(api, { upload, choices, signal }),
    retryAfter: pauseAfter,
  });
  return {
    queue,
    choose: (chosen) => {
      choices = chosen;
    },
  };
}

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === null) throw new Error('The component is outside of an UploadsProvider.');
  return uploads;
}

export function useUploadProgress(): UploadProgress {
  const { queue } = useUploads();
  return useSyncExternalStore(queue.subscribe, () => queue.progress);
}

interface SentPhoto {
  readonly upload: Upload;
  readonly choices: UploadChoices;
  readonly signal: AbortSignal;
}

async function sendPhoto(api: Api, { upload, choices, signal }: SentPhoto): Promise<StoredPhoto> {
  const { file, key } = upload;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (pictureFormat(head) === null) throw new NoPictureError();
  const ref = choices.namesAreRefs && file.name.length <= MAX_REF_LENGTH ? file.name : undefined;
  const run = await api.read(OPERATIONS[choices.detect], {
    headers: { 'Idempotency-Key': key },
    body: { file, external_ref: ref },
    signal,
  });
  return {
    imageId: run.source_image_id,
    faces: run.counts.faces,
    objects: run.counts.objects,
    isKnown: run.reused,
  };
}

/** A session that has ended is renewed over the page, so the upload waits for that. */
function pauseAfter(error: unknown): number | null {
  if (!isTemporary(error) && !isProblem(error, 'unauthenticated')) return null;
  return (error instanceof ProblemError ? error.retryAfter : null) ?? USUAL_PAUSE;
}
