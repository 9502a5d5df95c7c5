import type { Job, JobProgress } from '../jobs/job.ts';
import type { MediaStore } from '../media/media-store.ts';
import { InferenceUnavailable, NoActiveModel } from '../models/model-errors.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { ChangeLog } from '../vectors/change-log.ts';
import { waitForIndex } from '../vectors/wait-for-index.ts';
import { reembedImage, type ReembedImageDeps } from './reembed-image.ts';
import type { ReembedStore } from './reembed-store.ts';

const PAGE = 50;

export interface ReembedFacesDeps extends ReembedImageDeps {
  readonly reembed: ReembedStore;
  readonly changeLog: Pick<ChangeLog, 'backlog'>;
  readonly media: Pick<MediaStore, 'open' | 'requireAnswer'>;
  /** Images to work on at the same time. */
  readonly concurrency: number;
}

/**
 * Gives the stored faces of an environment what they lack of the active face model: a vector, and a
 * reference where they have one of another model. Each image is a transaction of its own, and an
 * interrupted job goes on with the images that are left. An image whose file cannot be read counts as
 * failed, and its faces stay behind.
 *
 * @throws NoActiveModel while no face model answers, InferenceUnavailable while another model answers
 *   than the active one, StoreUnavailable, also while a disk is full up to its reserve (the job waits
 *   in all these cases); the signal's reason on abort
 */
export async function reembedFaces(
  deps: ReembedFacesDeps,
  job: Job,
  run: { readonly report: (progress: JobProgress) => void; readonly signal: AbortSignal },
): Promise<JobProgress> {
  const { environmentId, params } = job;
  const { modelId, faces } = params;
  const model = await answeringFaceModel(deps, run.signal);
  if (model.id !== modelId) {
    if (await deps.models.isActive(modelId)) {
      throw new InferenceUnavailable('Another face model answers than the active one.');
    }
    // Another model has become active since, and has jobs of its own.
    return { total: job.done, done: job.done, failed: 0 };
  }

  let { done } = job;
  let failed = 0;
  for (let after = 0; ;) {
    const images = await deps.reembed.imagesBehind(
      { environmentId, modelId, enrolled: faces === 'enrolled', after, limit: PAGE },
      run.signal,
    );
    if (images.length === 0) return { total: done + failed, done, failed };
    for (let start = 0; start < images.length; start += deps.concurrency) {
      await waitForIndex(deps.changeLog, run.signal);
      // New vectors would take the reserve of the database's disk, as rows of new photos would.
      await deps.media.requireAnswer(run.signal);
      const batch = images.slice(start, start + deps.concurrency);
      const outcomes = await settle(
        batch.map((source) =>
          reembedImage(deps, { scope: { environmentId }, source, model }, run.signal),
        ),
      );
      const succeeded = outcomes.filter((outcome) => outcome).length;
      done += succeeded;
      failed += outcomes.length - succeeded;
      run.report({ total: Math.max(job.total, done + failed), done, failed });
    }
    after = images.at(-1)!.id;
  }
}

async function answeringFaceModel(
  { analyzer, models }: ReembedFacesDeps,
  signal: AbortSignal,
): Promise<RegisteredModel> {
  const status = await analyzer.status(signal);
  const active = status.models.find(({ task }) => task === 'face');
  if (active === undefined) throw new NoActiveModel('No face model is active.');
  return models.of(active);
}

/** Waits for all, so that none still writes after the job has failed, then throws the first error. */
async function settle<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
