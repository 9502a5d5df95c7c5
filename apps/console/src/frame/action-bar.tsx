import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RunningJobs } from '../jobs/running-jobs.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { type Announcement, UNDO_MESSAGES, useUndoable, useUndo } from '../undo/undo-context.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import styles from './action-bar.module.css';

/** How long a message stays, in ms. */
const SHOWN_MS = 10_000;

export interface ActionBarProps {
  readonly environment: string;
  /** Receives the element in which a page shows the actions for what is selected. */
  readonly slot: (element: HTMLElement | null) => void;
}

/** Says what is being done and what was done, and offers to take it back. Screen readers say it politely. */
export function ActionBar({ environment, slot }: ActionBarProps) {
  const texts = useMessages(UNDO_MESSAGES);
  const { announcement } = useUndoable();
  const { undo } = useUndo();
  const { shown, close } = useShown(announcement);
  return (
    <div className={styles.bar}>
      <div ref={slot} className={styles.slot} />
      <RunningJobs environment={environment} />
      <div role="status">
        {shown && (
          <div className={styles.message}>
            <span>{shown.text}</span>
            {shown.canUndo && (
              <Button shortcut="frame.undo" onPress={() => void undo()}>
                {texts.undo}
              </Button>
            )}
            {shown.job !== null && (
              <>
                <Link
                  to="/$environment/jobs/$job"
                  params={{ environment, job: String(shown.job) }}
                  className={buttonClass()}
                >
                  {texts.showJob}
                </Link>
                <Button onPress={close}>{texts.close}</Button>
              </>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function useShown(announcement: Announcement | null) {
  const [hidden, setHidden] = useState(0);
  const id = announcement?.id ?? 0;
  // A job may end while the person is away, so its failures wait for them.
  const stays = announcement !== null && announcement.job !== null;
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => setHidden(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, stays]);
  return { shown: id > hidden ? announcement : null, close: () => setHidden(id) };
}
