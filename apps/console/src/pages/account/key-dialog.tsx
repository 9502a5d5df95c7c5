import { type KeyboardEvent, useState } from 'react';
import type { CommandId } from '../../keys/commands.ts';
import { isChoosable, type KeyRefusal, refusalOf } from '../../keys/key-choice.ts';
import { keyName } from '../../keys/key-name.ts';
import { useKeyboard } from '../../keys/keyboard-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { COMMAND_MESSAGES } from './command-messages.ts';

export interface KeyDialogProps {
  readonly command: CommandId;
  readonly labels: Readonly<Record<CommandId, string>>;
  readonly onChosen: (key: string) => void;
  readonly onClose: () => void;
}

/** Asks for another key of a command, which the person presses. */
export function KeyDialog({ command, labels, onChosen, onClose }: KeyDialogProps) {
  const texts = useMessages(COMMAND_MESSAGES);
  const keyboard = useKeyboard();
  const refusalText = useRefusalText(labels);
  const [key, setKey] = useState<string | null>(null);
  const refusal = key === null ? null : refusalOf(key, command, (id) => keyboard.chosenKeys(id));
  // Keys that move the focus or close the dialog do so here, too.
  const press = (event: KeyboardEvent) => {
    const name = keyName(event);
    if (!isChoosable(name)) return;
    event.preventDefault();
    setKey(name);
  };
  const submit = () => {
    if (key !== null && refusal === null) onChosen(key);
  };
  return (
    <Dialog title={texts.title(labels[command])} isOpen onClose={onClose}>
      <Form onSubmit={submit}>
        <div onKeyDown={press}>
          <TextInput
            label={texts.press}
            hint={texts.pressHint}
            value={key ?? ''}
            error={refusal && refusalText(key!, refusal)}
            isReadOnly
            autoFocus
          />
        </div>
        <DialogActions>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" isDisabled={key === null || refusal !== null}>
            {texts.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Returns a function that says why a command cannot have a key. */
export function useRefusalText(labels: KeyDialogProps['labels']) {
  const texts = useMessages(COMMAND_MESSAGES);
  return (key: string, refusal: KeyRefusal) =>
    refusal.kind === 'taken' ? texts.taken(key, labels[refusal.by]) : texts.reserved(key);
}
