import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { ENVIRONMENTS_MESSAGES } from './environments-messages.ts';
import {
  type Environment,
  type Member,
  type Role,
  useEnvironmentList,
} from './use-environment-list.ts';

export interface MemberChange {
  readonly member: Member;
  /** The lower role; null if the member is removed. */
  readonly role: Role | null;
}

export interface MemberDialogProps {
  readonly environment: Environment;
  readonly change: MemberChange;
  readonly onClose: () => void;
}

/** Gives a member a lower role or removes it, and says which keys end. */
export function MemberDialog({ environment, change, onClose }: MemberDialogProps) {
  const { member, role } = change;
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const [keepKeys, setKeepKeys] = useState(false);
  const send = useSend(environment, onClose);
  const title =
    role === null ? texts.takeOutTitle(member.email) : texts.lowerTitle(member.email, texts[role]);
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{texts.keysEnd}</p>
      <Checkbox isSelected={keepKeys} onChange={setKeepKeys}>
        {texts.keepKeys}
      </Checkbox>
      {send.error && <Failure error={send.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="danger"
          isBusy={send.isPending}
          onPress={() => send.mutate({ ...change, keepKeys })}
        >
          {role === null ? texts.takeOut : texts.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useSend({ id }: Environment, onClose: () => void) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const { refresh } = useEnvironmentList();
  const { announce } = useUndoable();
  return useMutation({
    mutationFn: async ({ member, role, keepKeys }: MemberChange & { keepKeys: boolean }) => {
      const path = { id, account_id: member.account_id };
      const query = { keep_keys: keepKeys };
      if (role === null) await api.send('removeMember', { path, query });
      else await api.send('changeMember', { path, query, body: { role } });
    },
    onSuccess: async (_, { member }) => {
      announce(texts.changed(member.email));
      onClose();
      await Promise.all([invalidate('listMembers', 'listInvitations', 'listKeys'), refresh()]);
    },
  });
}
