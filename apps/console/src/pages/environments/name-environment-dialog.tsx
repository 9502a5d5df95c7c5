import { useApi } from '../../client/api-context.tsx';
import { NameForm } from '../../environments/name-form.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
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
  const { announce } = useUndoable();
  const save = async (name: string) => {
    if (environment === null) await api.send('createEnvironment', { body: { name } });
    else await api.send('renameEnvironment', { path: { id: environment.id }, body: { name } });
    await refresh();
    announce(texts.saved(name));
    onClose();
  };
  const isNew = environment === null;
  return (
    <Dialog title={isNew ? texts.addTitle : texts.renameTitle} isOpen onClose={onClose}>
      <NameForm
        initialName={environment?.name ?? ''}
        submitText={isNew ? texts.create : texts.save}
        onSave={save}
        onCancel={onClose}
      />
    </Dialog>
  );
}
