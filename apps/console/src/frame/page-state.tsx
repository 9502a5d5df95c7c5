import type { ReactNode } from 'react';
import { joinClasses } from '../ui/join-classes.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { FRAME_MESSAGES } from './frame-messages.ts';
import styles from './page-state.module.css';

/** The placeholder for rows that are being loaded. */
export function Loading() {
  const texts = useMessages(FRAME_MESSAGES);
  return (
    <div className={joinClasses(styles.state, styles.loading)} role="status">
      {texts.loading}
    </div>
  );
}

export interface EmptyProps {
  readonly title: string;
  /** A sentence about the rows that belong here. */
  readonly text: string;
  /** The one next step. */
  readonly action?: ReactNode;
}

export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>{title}</p>
      <p>{text}</p>
      {action}
    </div>
  );
}
