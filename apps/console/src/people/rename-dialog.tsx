import { useApi } from '../client/api-context.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { useUndoable } from '../undo/undo-context.tsx';
import { NameDialog } from './name-dialog.tsx';
import { PEOPLE_DIALOG_MESSAGES } from './people-dialog-messages.ts';

export interface RenameDialogProps {
  readonly person: { readonly id: number; readonly label: string };
  readonly onClose: () => void;
}

export function RenameDialog({ person, onClose }: RenameDialogProps) {
  const texts = useMessages(PEOPLE_DIALOG_MESSAGES);
  const api = useApi();
  const undoable = useUndoable();
  const rename = async (label: string) => {
    const { operationId } = await api.send('renameIdentity', {
      path: { id: person.id },
      body: { label },
    });
    undoable.done(texts.renamed(label), operationId);
  };
  return (
    <NameDialog
      title={texts.renameTitle(person.label)}
      submit={texts.save}
      initial={person.label}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}
