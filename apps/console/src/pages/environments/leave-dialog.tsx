import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { sessionQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { ENVIRONMENTS_MESSAGES } from './environments-messages.ts';
import { type Environment, useEnvironmentList } from './use-environment-list.ts';

export interface LeaveDialogProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

/** Ends the own membership of an environment. */
export function LeaveDialog({ environment: { id, name }, onClose }: LeaveDialogProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const api = useApi();
  const session = useQuery(sessionQuery(api));
  const { refresh } = useEnvironmentList();
  const { announce } = useUndoable();
  const self = session.data?.user.id;
  const leave = useMutation({
    mutationFn: (account: string) =>
      api.send('removeMember', { path: { id, account_id: account } }),
    onSuccess: async () => {
      announce(texts.left(name));
      onClose();
      await refresh();
    },
  });
  return (
    <Dialog title={texts.leaveTitle(name)} isOpen onClose={onClose}>
      <p>{texts.leaveText}</p>
      {leave.error && <Failure error={leave.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="danger"
          isDisabled={self === undefined || leave.isPending}
          onPress={() => self !== undefined && leave.mutate(self)}
        >
          {texts.leave}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
