import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useApi, useRead } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { ENVIRONMENTS_MESSAGES } from './environments-messages.ts';
import { type Environment, useEnvironmentList } from './use-environment-list.ts';

export interface DeleteEnvironmentDialogProps {
  readonly environment: Environment;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

/** Deletes an environment once the person has typed its name. */
export function DeleteEnvironmentDialog(props: DeleteEnvironmentDialogProps) {
  const { environment, onClose, onStarted } = props;
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const api = useApi();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => api.send('deleteEnvironment', { path: { id: environment.id } }),
    onSuccess: onStarted,
  });
  return (
    <Dialog title={texts.removeTitle(environment.name)} isOpen onClose={onClose}>
      <p>{texts.removeText}</p>
      <TextInput
        label={texts.typeName(environment.name)}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        autoFocus
      />
      {remove.error && <Failure error={remove.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="danger"
          isDisabled={typed.trim() !== environment.name.trim() || remove.isPending}
          onPress={() => remove.mutate()}
        >
          {texts.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const POLL_MS = 1_000;

export interface DeletionProps {
  readonly id: number;
  readonly onEnd: (name: string) => void;
}

/** Shows how far a deletion is. The environment is no longer found at its end. */
export function Deletion({ id, onEnd }: DeletionProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const formats = useFormats();
  const { refresh } = useEnvironmentList();
  const [name, setName] = useState('');
  const state = useRead(
    'getEnvironment',
    { path: { id } },
    { refetchInterval: (query) => (query.state.error === null ? POLL_MS : false), staleTime: 0 },
  );
  if (state.data !== undefined && state.data.name !== name) setName(state.data.name);
  const hasEnded = isProblem(state.error, 'not_found');
  useEffect(() => {
    if (!hasEnded) return;
    onEnd(name);
    void refresh();
    // oxlint-disable-next-line react/exhaustive-deps -- the end happens once, whatever is rendered then
  }, [hasEnded]);
  if (state.error && !hasEnded) {
    return <Failure error={state.error} onRetry={() => void state.refetch()} />;
  }
  const deleting = hasEnded ? null : (state.data?.deleting ?? null);
  if (deleting === null) return null;
  const { done, total } = deleting;
  return (
    <Notice>
      <p role="status">{texts.removing(name)}</p>
      <Progress
        label={texts.removing(name)}
        isLabelHidden
        value={done}
        total={total}
        text={texts.progress(formats.number(done), formats.number(total))}
      />
    </Notice>
  );
}
