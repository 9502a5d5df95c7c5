import { useEffect, useEffectEvent } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useInvalidate, useRead } from '../../client/api-context.tsx';
import type { Job } from '../../jobs/job.ts';
import { useJobs, useRunningJobs } from '../../jobs/jobs-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import type { Model } from './model-card.tsx';
import { MODELS_MESSAGES } from './models-messages.ts';
import type { ModelsSearch } from './models-search.ts';

/** Returns a function that follows the download or the activation of a model. */
export function useFollowModel() {
  const texts = useMessages(MODELS_MESSAGES);
  const jobs = useJobs();
  const invalidate = useInvalidate();
  return ({ id, type }: Pick<Job, 'id' | 'type'>, { name }: Model) => {
    const isDownload = type === 'model_download';
    jobs.follow({
      id,
      title: isDownload ? texts.downloadingNow(name) : texts.activating(name),
      done: () => (isDownload ? texts.downloadDone(name) : texts.activated(name)),
      failed: isDownload ? texts.downloadFailed(name) : texts.jobFailed(name),
      onEnd: () => void invalidate('listModels'),
    });
  };
}

/**
 * Goes on with the job that the address names, such as after a reload.
 *
 * @param onEnd called when it no longer runs
 */
export function useFollowedModel(
  { job: id }: ModelsSearch,
  model: Model | undefined,
  onEnd: () => void,
): void {
  const texts = useMessages(MODELS_MESSAGES);
  const jobs = useJobs();
  const follow = useFollowModel();
  const { announce } = useUndoable();
  const isRunning = useRunningJobs().some((each) => each.id === id);
  const hasEnded = id !== undefined && jobs.hasEnded(id);
  const isKnown = id === undefined || isRunning || hasEnded;
  const read = useRead(
    'getJob',
    { path: { id: id ?? 0 } },
    { enabled: !isKnown && model !== undefined, staleTime: 0 },
  );
  const goOn = useEffectEvent((job: Job) => {
    if (!isKnown && model !== undefined) follow(job, model);
  });
  const end = useEffectEvent((text?: string) => {
    if (text !== undefined) announce(text);
    onEnd();
  });
  const isMissing = !isKnown && isProblem(read.error, 'not_found');
  useEffect(() => {
    if (read.data !== undefined) goOn(read.data);
  }, [read.data]);
  useEffect(() => {
    if (hasEnded) end();
  }, [hasEnded]);
  useEffect(() => {
    if (isMissing) end(texts.foreignJob);
  }, [isMissing, texts]);
}
