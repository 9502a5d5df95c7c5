import { useInvalidate } from '../../client/api-context.tsx';
import { useJobs } from '../../jobs/jobs-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { SELECTION_MESSAGES } from '../../images/selection-messages.ts';
import { useImageTexts } from '../../images/use-image-texts.ts';

export interface StartedJob {
  readonly id: number;
  readonly action: 'delete' | 'reprocess';
}

/** Returns a function that follows a job over images, whose end makes the lists be read again. */
export function useFollowJob(): (job: StartedJob) => void {
  const texts = useMessages(SELECTION_MESSAGES);
  const { images } = useImageTexts();
  const invalidate = useInvalidate();
  const jobs = useJobs();
  return ({ id, action }) => {
    const isDeletion = action === 'delete';
    jobs.follow({
      id,
      title: isDeletion ? texts.deleting : texts.reprocessing,
      done: ({ done }) => (isDeletion ? texts.deleted : texts.reprocessed)(images(done)),
      onEnd: () => void invalidate('getImage', ...IMAGE_READS, ...PEOPLE_READS),
    });
  };
}
