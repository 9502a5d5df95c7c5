import { useAllCommands, useKeyboard } from '../keys/keyboard-context.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FRAME_MESSAGES } from './frame-messages.ts';
import styles from './key-list.module.css';

export interface KeyListProps {
  readonly onClose: () => void;
}

/** Lists the keys of the page and of the frame. */
export function KeyList({ onClose }: KeyListProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const keyboard = useKeyboard();
  const commands = useAllCommands();
  return (
    <Dialog title={texts.keys} isOpen onClose={onClose}>
      <p>{texts.keysIntro}</p>
      <dl className={styles.list}>
        {commands.map((command) => (
          <div key={command.id} className={styles.pair}>
            <dt className={styles.keys}>
              {keyboard.keysOf(command).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{command.label}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onPress={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
