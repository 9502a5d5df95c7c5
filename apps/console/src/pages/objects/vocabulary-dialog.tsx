import { useState } from 'react';
import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { OBJECTS_MESSAGES } from './objects-messages.ts';
import styles from './objects.module.css';
import { useSaveSetting } from './use-save-setting.ts';
import { readVocabulary } from './vocabulary.ts';

export interface SettingDialogProps {
  readonly setting: OperationBody<'listSettings'>['items'][number];
  readonly onClose: () => void;
}

/** The vocabulary as a text with one object a line. */
export function VocabularyDialog({ setting, onClose }: SettingDialogProps) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const formats = useFormats();
  const { key, value, max_items: most } = setting;
  const [text, setText] = useState(Array.isArray(value) ? value.join('\n') : '');
  const save = useSaveSetting({ key, name: texts.vocabulary, onSaved: onClose });
  const { phrases, repeated, blanks } = readVocabulary(text);
  return (
    <Dialog title={texts.vocabulary} isOpen onClose={onClose}>
      <TextArea label={texts.onePerLine} value={text} onChange={setText} rows={12} />
      <div role="status" className={styles.notes}>
        {most !== null && <p>{texts.most(formats.number(phrases.length), formats.number(most))}</p>}
        {repeated.length > 0 && <p>{texts.repeated(formats.list(repeated))}</p>}
        {blanks > 0 && <p>{texts.blanks(formats.number(blanks))}</p>}
      </div>
      {save.error && <Failure error={save.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button look="primary" isBusy={save.isPending} onPress={() => save.mutate([...phrases])}>
          {texts.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
