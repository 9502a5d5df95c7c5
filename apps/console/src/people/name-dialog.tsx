import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../client/api-error.ts';
import { useInvalidate, useRead } from '../client/api-context.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure, fieldErrors } from '../ui/failure.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { PEOPLE_DIALOG_MESSAGES } from './people-dialog-messages.ts';
import { PEOPLE_READS } from './people-reads.ts';

export interface NameDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly initial: string;
  /** Creates or renames the person; its errors are shown. */
  readonly onSubmit: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of a person. A name that another person has leads to that person. */
export function NameDialog({ title, submit, initial, onSubmit, onClose }: NameDialogProps) {
  const texts = useMessages(PEOPLE_DIALOG_MESSAGES);
  const [name, setName] = useState(initial);
  const invalidate = useInvalidate();
  const change = useMutation({
    mutationFn: () => onSubmit(name),
    onSuccess: () => {
      // The dialog closes without waiting for the lists, because it keeps the keys, the one of the undo as well.
      void invalidate(...PEOPLE_READS);
      onClose();
    },
  });
  const wrong = fieldErrors(change.error).label;
  const isTaken = isProblem(change.error, 'identity_exists');
  const send = () => {
    if (!change.isPending) change.mutate();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={send}>
        <TextInput
          label={texts.name}
          value={name}
          onChange={setName}
          error={wrong}
          isRequired
          autoFocus
        />
        {isTaken && <TakenName name={name} />}
        {change.error && !isTaken && wrong === undefined && <Failure error={change.error} />}
        <DialogActions>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary">
            {submit}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function TakenName({ name }: { readonly name: string }) {
  const texts = useMessages(PEOPLE_DIALOG_MESSAGES);
  const { environment } = useParams({ from: '/$environment' });
  const found = useRead('searchIdentities', { query: { q: name, type: 'face', limit: 1 } });
  const other = found.data?.items[0];
  return (
    <Notice look="bad" isAlert>
      <p>
        {texts.taken}{' '}
        {other && (
          <Link
            to="/$environment/people/$person"
            params={{ environment, person: String(other.identity_id) }}
          >
            <bdi>{other.label}</bdi>
          </Link>
        )}
      </p>
    </Notice>
  );
}
