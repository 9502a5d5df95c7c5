import { useInvalidate } from '../../client/api-context.tsx';
import { JobNotice } from '../../jobs/job-notice.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { SELECTION_MESSAGES } from './selection-messages.ts';
import { useImageTexts } from './use-image-texts.ts';

export interface StartedJob {
  readonly id: number;
  readonly action: 'delete' | 'reprocess';
}

export interface ImagesJobProps {
  readonly job: StartedJob;
  readonly onEnd: () => void;
}

/** Shows how far a job over images is, whose end makes the lists be read again. */
export function ImagesJob({ job: { id, action }, onEnd }: ImagesJobProps) {
  const texts = useMessages(SELECTION_MESSAGES);
  const { images } = useImageTexts();
  const invalidate = useInvalidate();
  const isDeletion = action === 'delete';
  return (
    <JobNotice
      id={id}
      running={isDeletion ? texts.deleting : texts.reprocessing}
      done={({ done }) => (isDeletion ? texts.deleted : texts.reprocessed)(images(done))}
      onEnd={() => {
        onEnd();
        void invalidate('countImages', 'listImageBuckets', 'getImage', 'listObjectClasses');
      }}
    />
  );
}
