import type { Send } from '../../client/create-send.ts';
import type { ImageTarget } from '../../images/image-target.ts';
import type { ReprocessChoices } from '../../images/reprocess-dialog.tsx';

interface Reprocessing {
  readonly target: ImageTarget;
  readonly choices: ReprocessChoices;
}

/** Starts the job that runs the models on images again, and returns its id. */
export async function startReprocessing(
  send: Send,
  { target, choices }: Reprocessing,
): Promise<number> {
  if (target.kind === 'some') {
    const body = { source_image_ids: [...target.ids], ...choices };
    const { body: answer } = await send('reprocessImages', { query: { async: true }, body });
    if ('job_id' in answer) return answer.job_id;
  } else {
    const { where, as_of, except } = target;
    const body = { action: 'reprocess', where, as_of, except, ...choices } as const;
    const { body: answer } = await send('bulkImages', { body });
    if ('job_id' in answer) return answer.job_id;
  }
  throw new Error('The service has started no job.');
}
