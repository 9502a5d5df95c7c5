import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../client/api-context.tsx';
import { isProblem } from '../client/api-error.ts';
import { useSend } from '../client/use-send.ts';
import { Loading } from '../frame/page-state.tsx';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { PEOPLE_READS } from '../people/people-reads.ts';
import { useUndoable } from '../undo/undo-context.tsx';
import { deleteImages } from './delete-images.ts';
import { IMAGE_READS } from './image-reads.ts';
import type { ImageTarget } from './image-target.ts';
import { SELECTION_MESSAGES } from './selection-messages.ts';
import { useImageTexts } from './use-image-texts.ts';
import { useTargetCount } from './use-target-count.ts';

export interface DeleteDialogProps {
  readonly target: ImageTarget;
  readonly onDeleted: (ids: readonly number[]) => void;
  readonly onJob: (jobId: number) => void;
  readonly onClose: () => void;
}

/** Says how many images are deleted, and deletes them. */
export function DeleteDialog({ target, onDeleted, onJob, onClose }: DeleteDialogProps) {
  const texts = useMessages(SELECTION_MESSAGES);
  const { images } = useImageTexts();
  const count = useTargetCount(target);
  const remove = useDelete(target, { onDeleted, onJob, onClose });
  return (
    <Dialog
      title={count.data === undefined ? texts.counting : texts.deleteTitle(images(count.data))}
      isOpen
      onClose={onClose}
    >
      {count.isPending && <Loading />}
      {count.error && <Failure error={count.error} onRetry={() => void count.refetch()} />}
      {count.isSuccess && <Loss target={target} />}
      {remove.error && !count.isFetching && (
        <Refusal error={remove.error} count={count.data ?? 0} />
      )}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="danger"
          autoFocus
          isDisabled={!count.isSuccess || count.isFetching || remove.isPending}
          onPress={() =>
            remove.mutate(count.data!, {
              onError: (error) => isProblem(error, 'count_changed') && void count.refetch(),
            })
          }
        >
          {texts.delete}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Loss({ target }: { readonly target: ImageTarget }) {
  const texts = useMessages(SELECTION_MESSAGES);
  const { found } = useImageTexts();
  const isKnown = target.kind === 'some' && target.found !== null;
  return <p>{isKnown ? texts.deleteText(found(target.found)) : texts.deleteAllText}</p>;
}

function Refusal({ error, count }: { readonly error: Error; readonly count: number }) {
  const texts = useMessages(SELECTION_MESSAGES);
  const formats = useFormats();
  if (!isProblem(error, 'count_changed')) return <Failure error={error} />;
  return (
    <Notice look="warn" isAlert>
      {texts.changed(formats.number(count))}
    </Notice>
  );
}

function useDelete(
  target: ImageTarget,
  { onDeleted, onJob, onClose }: Omit<DeleteDialogProps, 'target'>,
) {
  const api = useApi();
  const texts = useMessages(SELECTION_MESSAGES);
  const formats = useFormats();
  const { images } = useImageTexts();
  const { done } = useUndoable();
  const send = useSend();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async (count: number) => {
      if (target.kind === 'all') {
        const { where, as_of, except } = target;
        const body = { action: 'delete', where, as_of, except, confirm_count: count } as const;
        const { body: answer } = await send('bulkImages', { body });
        if ('job_id' in answer) onJob(answer.job_id);
        onClose();
        return;
      }
      const { deleted, operationIds, error } = await deleteImages(api, target.ids);
      const failed = target.ids.length - deleted.length;
      if (deleted.length > 0) {
        const text =
          failed === 0
            ? texts.deleted(images(deleted.length))
            : texts.partly(images(deleted.length), formats.number(failed));
        done(text, operationIds);
        // A page that is opened next takes over what was read before, unless it is known to be old.
        void invalidate(...IMAGE_READS, ...PEOPLE_READS);
        onDeleted(deleted);
      }
      if (error !== null) throw error;
      onClose();
    },
  });
}
