import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { USERS_MESSAGES } from './users-messages.ts';

export type User = OperationBody<'listUsers'>['items'][number];

export type UserChange = 'disable' | 'enable' | 'reset' | 'promote' | 'demote' | 'vouch';

/** The changes that a person confirms first. */
type Confirmed = Exclude<UserChange, 'enable'>;

export interface ChangeUserDialogProps {
  readonly user: User;
  readonly change: Confirmed;
  readonly onClose: () => void;
}

const BODIES = {
  disable: { disabled: true },
  enable: { disabled: false },
  promote: { is_admin: true },
  demote: { is_admin: false },
  vouch: { email_verified: true },
} as const;

/** Says what a change of an account means, and does it. */
export function ChangeUserDialog({ user, change, onClose }: ChangeUserDialogProps) {
  const texts = useMessages(USERS_MESSAGES);
  const [password] = useState(makePassword);
  const send = useChangeUser(user);
  const body = change === 'reset' ? { password } : BODIES[change];
  const isReset = change === 'reset';
  if (isReset && send.isSuccess) return <PasswordDialog password={password} onClose={onClose} />;
  const look = change === 'disable' || change === 'demote' ? 'danger' : 'primary';
  return (
    <Dialog title={texts[`${change}Title`](user.email)} isOpen onClose={onClose}>
      <p>{texts[`${change}Text`]}</p>
      {send.error && <Failure error={send.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look={look}
          isBusy={send.isPending}
          onPress={() => send.mutate(body, { onSuccess: () => !isReset && onClose() })}
        >
          {texts[change]}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type UserBody = (typeof BODIES)[keyof typeof BODIES] | { readonly password: string };

/** Sends a change of an account. */
export function useChangeUser({ id, email }: User) {
  const texts = useMessages(USERS_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  return useMutation({
    mutationFn: (body: UserBody) => api.send('changeUser', { path: { id }, body: { ...body } }),
    onSuccess: async () => {
      await invalidate('listUsers');
      announce(texts.changed(email));
    },
  });
}

/** The number of random bytes of a password. */
const PASSWORD_BYTES = 12;

function makePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(PASSWORD_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
