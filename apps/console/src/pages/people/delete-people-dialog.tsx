import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import { PEOPLE_READS } from './people-reads.ts';
import type { Person } from './person-tile.tsx';

export interface DeletePeopleDialogProps {
  readonly people: readonly Person[];
  readonly onClose: (deleted: boolean) => void;
}

/** Says what will be deleted with the people before it deletes them. */
export function DeletePeopleDialog({ people, onClose }: DeletePeopleDialogProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const invalidate = useInvalidate();
  const changes = useChanges();
  const sum = (count: (person: Person) => number) =>
    formats.number(people.reduce((total, person) => total + count(person), 0));
  const remove = useMutation({
    mutationFn: () =>
      api.send('deleteIdentities', { body: { identity_ids: people.map(({ id }) => id) } }),
    onSuccess: ({ body, operationId }) => {
      changes.done(texts.deleted(formats.number(body.deleted)), operationId);
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
