import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useApi } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure, fieldErrors } from '../../ui/failure.tsx';
import { Panels } from '../../ui/panel.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { ENVIRONMENTS_MESSAGES } from './environments-messages.ts';
import { type Environment, useEnvironmentList } from './use-environment-list.ts';

export interface NameEnvironmentDialogProps {
  /** The environment that gets another name; null for a new one. */
  readonly environment: Environment | null;
  readonly onClose: () => void;
}

/** Creates an environment, or gives one another name. */
export function NameEnvironmentDialog({ environment, onClose }: NameEnvironmentDialogProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const api = useApi();
  const { refresh } = useEnvironmentList();
  const { announce } = useChanges();
  const [name, setName] = useState(environment?.name ?? '');
  const save = useMutation({
    mutationFn: async () => {
      if (environment === null) await api.send('createEnvironment', { body: { name } });
      else await api.send('renameEnvironment', { path: { id: environment.id }, body: { name } });
    },
    onSuccess: async () => {
      await refresh();
      announce(texts.saved(name));
      onClose();
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const refused = isProblem(save.error, 'environment_exists')
    ? save.error.problem.detail
    : fieldErrors(save.error).name;
  const isNew = environment === null;
  return (
    <Dialog title={isNew ? texts.addTitle : texts.renameTitle} isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <Panels>
          <TextInput
            label={texts.name}
            value={name}
            onChange={setName}
            error={refused}
            isRequired
            autoFocus
          />
          {save.error && refused === undefined && <Failure error={save.error} />}
          <DialogActions>
            <Button onPress={onClose}>{texts.cancel}</Button>
            <Button type="submit" look="primary">
              {isNew ? texts.create : texts.save}
            </Button>
          </DialogActions>
        </Panels>
      </form>
    </Dialog>
  );
}
