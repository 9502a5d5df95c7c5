import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSend } from '../../client/use-send.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { IdentityPicker, type PickedIdentity } from '../../people/identity-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Select } from '../../ui/select.tsx';
import { TRANSFER_MESSAGES } from './transfer-messages.ts';

const CONTENTS = ['whole', 'chosen'] as const;

interface Chosen {
  readonly id: number;
  readonly label: string;
}

export interface ExportDialogProps {
  readonly onClose: () => void;
  /** Called with the id of the job. */
  readonly onStarted: (id: number) => void;
}

/** Asks for the content of an archive, and starts the job that writes it. */
export function ExportDialog({ onClose, onStarted }: ExportDialogProps) {
  const texts = useMessages(TRANSFER_MESSAGES);
  const [content, setContent] = useState<(typeof CONTENTS)[number]>('whole');
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const send = useSend();
  const start = useMutation({
    mutationFn: async () => {
      const body = content === 'whole' ? {} : { identity_ids: chosen.map(({ id }) => id) };
      const sent = await send('exportLibrary', { query: { async: true }, body });
      if (!('job_id' in sent.body)) return;
      onClose();
      onStarted(sent.body.job_id);
    },
  });
  return (
    <Dialog title={texts.exportTitle} isOpen onClose={onClose}>
      <p>{texts.exportText}</p>
      <Select
        label={texts.content}
        options={CONTENTS.map((value) => ({ value, text: texts[value] }))}
        value={content}
        onChange={setContent}
      />
      {content === 'chosen' && <ChosenIdentities chosen={chosen} onChange={setChosen} />}
      {start.error && <Failure error={start.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          isBusy={start.isPending}
          // An archive without any identity would be empty.
          isDisabled={content === 'chosen' && chosen.length === 0}
          onPress={() => start.mutate()}
        >
          {texts.startExport}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ChosenIdentitiesProps {
  readonly chosen: readonly Chosen[];
  readonly onChange: (chosen: readonly Chosen[]) => void;
}

function ChosenIdentities({ chosen, onChange }: ChosenIdentitiesProps) {
  const texts = useMessages(TRANSFER_MESSAGES);
  const except = chosen.map(({ id }) => id);
  const add = (picked: PickedIdentity) => {
    if (picked.id !== null) onChange([...chosen, picked]);
  };
  return (
    <>
      <p>{texts.chosenText}</p>
      <IdentityPicker label={texts.addPerson} except={except} onPick={add} />
      <IdentityPicker label={texts.addObject} type="object" except={except} onPick={add} />
      {chosen.length > 0 && (
        <Chips
          label={texts.chosenList}
          chips={chosen.map(({ id, label }) => ({
            key: String(id),
            text: label,
            removeText: texts.takeOut(label),
            onRemove: () => onChange(chosen.filter((each) => each.id !== id)),
          }))}
        />
      )}
    </>
  );
}
