import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { isProblem } from '../../client/api-error.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { environmentsQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import type { User } from './change-user-dialog.tsx';
import { USERS_MESSAGES } from './users-messages.ts';

/** A number of an environment as people write it. */
const NUMBER = /^[1-9]\d{0,8}$/;

export interface AppointDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** Gives an environment an owner. Administrators see no list of the environments of others, so they enter its number. */
export function AppointDialog({ user, onClose }: AppointDialogProps) {
  const texts = useMessages(USERS_MESSAGES);
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const appoint = useAppoint(user, onClose);
  const number = text.trim();
  const submit = () => {
    const isNumber = NUMBER.test(number);
    setWrong(!isNumber);
    if (isNumber && !appoint.isPending) appoint.mutate(number);
  };
  const refusal = useRefusal(appoint.error);
  return (
    <Dialog title={texts.appointTitle(user.email)} isOpen onClose={onClose}>
      <p>{texts.appointText}</p>
      <Form onSubmit={submit}>
        <TextInput
          label={texts.environmentNumber}
          hint={texts.environmentHint}
          inputMode="numeric"
          value={text}
          onChange={(changed) => {
            setText(changed);
            setWrong(false);
            appoint.reset();
          }}
          error={isWrong ? texts.noNumber : refusal}
          isRequired
          autoFocus
        />
        {appoint.error && refusal === undefined && <Failure error={appoint.error} />}
        <DialogActions>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" isBusy={appoint.isPending}>
            {texts.appoint}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The sentence about a number that the service refuses; undefined if something else failed. */
function useRefusal(error: Error | null): string | undefined {
  const texts = useMessages(USERS_MESSAGES);
  if (isProblem(error, 'owner_exists')) return texts.ownerExists;
  return isProblem(error, 'not_found') ? texts.noEnvironment : undefined;
}

function useAppoint({ id: account, email }: User, onClose: () => void) {
  const texts = useMessages(USERS_MESSAGES);
  const api = useApi();
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  return useMutation({
    mutationFn: (environment: string) =>
      api.send('appointOwner', {
        path: { id: Number(environment) },
        body: { account_id: account },
      }),
    onSuccess: async (_, environment) => {
      announce(texts.appointed(email, environment));
      onClose();
      // The account may be the own one.
      await client.invalidateQueries({ queryKey: environmentsQuery(api).queryKey });
      await invalidate('listMembers');
    },
  });
}
