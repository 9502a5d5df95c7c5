import type { Api } from '../../client/api.ts';
import type { ImageTarget } from './image-target.ts';
import type { ReprocessChoices } from './reprocess-dialog.tsx';

interface Reprocessing {
  readonly target: ImageTarget;
  readonly choices: ReprocessChoices;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts the job that runs the models on images again, and returns its id. */
export async function startReprocessing(
  api: Api,
  { target, choices, headers }: Reprocessing,
): Promise<number> {
  if (target.kind === 'some') {
    const body = { source_image_ids: [...target.ids], ...choices };
    const answer = await api.read('reprocessImages', { query: { async: true }, body, headers });
    if ('job_id' in answer) return answer.job_id;
  } else {
    const { where, as_of, except } = target;
    const body = { action: 'reprocess', where, as_of, except, ...choices } as const;
    const answer = await api.read('bulkImages', { body, headers });
    if ('job_id' in answer) return answer.job_id;
  }
  throw new Error('The service has started no job.');
}
