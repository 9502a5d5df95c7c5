import { useSyncExternalStore } from 'react';
import type { RequestLog } from '../client/request-log.ts';
import { toCurl } from '../client/to-curl.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FRAME_MESSAGES } from './frame-messages.ts';
import styles from './request-panel.module.css';

export interface RequestPanelProps {
  readonly log: RequestLog;
  readonly onClose: () => void;
}

/** Shows the requests of the page as commands for a shell. */
export function RequestPanel({ log, onClose }: RequestPanelProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const entries = useSyncExternalStore(log.subscribe, () => log.entries);
  return (
    <Dialog title={texts.apiTitle} isOpen onClose={onClose} isWide>
      <p>{texts.apiIntro}</p>
      {entries.length === 0 && <p>{texts.apiEmpty}</p>}
      <ul>
        {entries.map((entry) => {
          const command = toCurl(entry, location.origin);
          return (
            <li key={entry.id} className={styles.request}>
              <div className={styles.head}>
                <span>
                  {entry.method} {entry.target.split('?', 1)[0]} {entry.status ?? '…'}
                </span>
                <CopyButton text={command} />
              </div>
              {/* The block scrolls, so the keyboard has to reach it. */}
              <pre tabIndex={0}>{command}</pre>
            </li>
          );
        })}
      </ul>
      <DialogActions>
        <Button onPress={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
