import { useEffect, useState } from 'react';
import { useMessages } from '../messages/locale-context.tsx';
import { type Announcement, UNDO_MESSAGES, useChanges, useUndo } from '../undo/changes-context.tsx';
import { Button } from '../ui/button.tsx';
import styles from './action-bar.module.css';

/** How long a message stays, in ms. */
const SHOWN_MS = 10_000;

export interface ActionBarProps {
  /** Receives the element in which a page shows the actions for what is selected. */
  readonly slot: (element: HTMLElement | null) => void;
}

/** Says what was done, and offers to take it back. Screen readers say it politely. */
export function ActionBar({ slot }: ActionBarProps) {
  const texts = useMessages(UNDO_MESSAGES);
  const { announcement } = useChanges();
  const { undo } = useUndo();
  const shown = useShown(announcement);
  return (
    <div className={styles.bar}>
      <div ref={slot} className={styles.slot} />
      <div role="status">
        {shown && (
          <div className={styles.message}>
            <span>{shown.text}</span>
            {shown.canUndo && (
              <Button shortcut="frame.undo" onPress={() => void undo()}>
                {texts.undo}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function useShown(announcement: Announcement | null): Announcement | null {
  const [hidden, setHidden] = useState(0);
  const id = announcement?.id ?? 0;
  useEffect(() => {
    const timer = setTimeout(() => setHidden(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return id > hidden ? announcement : null;
}
