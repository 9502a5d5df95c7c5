import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';
import styles from './notice.module.css';

export interface NoticeProps {
  readonly look?: 'bad' | 'warn';
  readonly children: ReactNode;
  /** Whether a screen reader says it at once. */
  readonly isAlert?: boolean;
}

export function Notice({ look, children, isAlert = false }: NoticeProps) {
  return (
    <div
      className={joinClasses(styles.notice, look && styles[look])}
      role={isAlert ? 'alert' : undefined}
    >
      {children}
    </div>
  );
}

export function NoticeActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

export function NoticeId({ children }: { readonly children: ReactNode }) {
  return <span className={styles.id}>{children}</span>;
}
