import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { NameDialog } from './name-dialog.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import { PEOPLE_READS } from './people-reads.ts';

export interface RenameDialogProps {
  readonly person: { readonly id: number; readonly label: string };
  readonly onClose: () => void;
}

export function RenameDialog({ person, onClose }: RenameDialogProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const changes = useChanges();
  const rename = async (label: string) => {
    const { operationId } = await api.send('renameIdentity', {
      path: { id: person.id },
      body: { label },
    });
    changes.done(texts.renamed(label), operationId);
    await invalidate(...PEOPLE_READS);
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
