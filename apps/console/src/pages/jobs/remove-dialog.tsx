import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import type { Job } from '../../jobs/job.ts';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import { useJobTexts } from './use-job-texts.ts';

export interface RemoveDialogProps {
  readonly job: Job;
  readonly onClose: () => void;
  readonly onRemoved?: () => void;
}

/** Asks before a job with its results is deleted, which cannot be taken back. */
export function RemoveDialog({ job, onClose, onRemoved }: RemoveDialogProps) {
  const api = useApi();
  const texts = useMessages(JOBS_MESSAGES);
  const name = useJobTexts().name(job);
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  const remove = useMutation({
    mutationFn: () => api.send('deleteJob', { path: { id: job.id } }),
    onSuccess: () => {
      onClose();
      announce(texts.removed(name));
      onRemoved?.();
    },
    onSettled: () => invalidate('listJobs'),
  });
  return (
    <Dialog title={texts.removeTitle(name)} isOpen onClose={onClose}>
      <p>{texts.removeText}</p>
      {remove.error && <Failure error={remove.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.keep}</Button>
        <Button look="danger" isBusy={remove.isPending} onPress={() => remove.mutate()}>
          {texts.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
