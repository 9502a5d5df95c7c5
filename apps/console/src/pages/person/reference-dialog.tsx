import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure, fieldErrors } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { PERSON_MESSAGES } from './person-messages.ts';

export interface ReferenceDialogProps {
  readonly person: {
    readonly id: number;
    readonly label: string;
    readonly external_ref: string | null;
  };
  readonly onClose: () => void;
}

/** Changes the reference by which another system knows a person. */
export function ReferenceDialog({ person, onClose }: ReferenceDialogProps) {
  const texts = useMessages(PERSON_MESSAGES);
  const [reference, setReference] = useState(person.external_ref ?? '');
  const change = useSetReference(person, onClose);
  const wrong = fieldErrors(change.error).external_ref;
  const submit = () => {
    if (!change.isPending) change.mutate(reference);
  };
  return (
    <Dialog title={texts.referenceTitle(person.label)} isOpen onClose={onClose}>
      <Form onSubmit={submit}>
        <TextInput
          label={texts.reference}
          hint={texts.referenceHint}
          value={reference}
          onChange={setReference}
          error={wrong}
          autoFocus
        />
        {change.error && wrong === undefined && <Failure error={change.error} />}
        <DialogActions>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            {texts.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function useSetReference({ id, label }: ReferenceDialogProps['person'], onClose: () => void) {
  const texts = useMessages(PERSON_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const undoable = useUndoable();
  return useMutation({
    mutationFn: (reference: string) =>
      api.send('setIdentityRef', { path: { id }, body: { external_ref: reference } }),
    onSuccess: async ({ body, operationId }) => {
      const text = body.external_ref === null ? texts.referenceRemoved : texts.referenceSet;
      undoable.done(text(label), operationId);
      onClose();
      await invalidate(...PEOPLE_READS);
    },
  });
}
