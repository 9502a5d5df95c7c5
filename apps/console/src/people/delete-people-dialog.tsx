import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi, useInvalidate } from '../client/api-context.tsx';
import type { OperationBody } from '../client/operations.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { useUndoable } from '../undo/undo-context.tsx';
import { deletePeople } from './delete-people.ts';
import { isLostAnswer } from '../client/api-error.ts';
import { PEOPLE_DIALOG_MESSAGES } from './people-dialog-messages.ts';
import { PEOPLE_READS } from './people-reads.ts';

type Person = Pick<OperationBody<'getIdentity'>, 'id' | 'detection_count' | 'embedding_count'>;

export interface DeletePeopleDialogProps {
  readonly people: readonly Person[];
  readonly onClose: (deleted: boolean) => void;
}

/** Says what will be deleted with the people before it deletes them. */
export function DeletePeopleDialog({ people, onClose }: DeletePeopleDialogProps) {
  const texts = useMessages(PEOPLE_DIALOG_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const invalidate = useInvalidate();
  const undoable = useUndoable();
  const ids = people.map(({ id }) => id);
  const wasLost = useRef(false);
  const sum = (count: (person: Person) => number) =>
    formats.number(people.reduce((total, person) => total + count(person), 0));
  const remove = useMutation({
    mutationFn: () => deletePeople(api, ids, wasLost.current),
    onError: (error) => {
      wasLost.current ||= isLostAnswer(error);
    },
    onSuccess: ({ deleted, operationIds }) => {
      const text = deleted === 0 ? texts.alreadyDeleted : texts.deleted(formats.number(deleted));
      undoable.done(text, operationIds);
      onClose(true);
    },
    onSettled: () => invalidate(...PEOPLE_READS),
  });
  return (
    <Dialog
      title={texts.deleteTitle(formats.number(people.length))}
      isOpen
      onClose={() => onClose(false)}
    >
      <p>
        {texts.deleteText(
          sum((person) => person.detection_count),
          sum((person) => person.embedding_count),
        )}
      </p>
      {remove.error && <Failure error={remove.error} />}
      <DialogActions>
        <Button onPress={() => onClose(false)}>{texts.cancel}</Button>
        <Button
          look="danger"
          onPress={() => {
            if (!remove.isPending) remove.mutate();
          }}
        >
          {texts.delete}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
