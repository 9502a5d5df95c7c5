import { type ReactNode, useEffect } from 'react';
import styles from './card-page.module.css';

export interface CardPageProps {
  readonly title: string;
  /** Whether the mark of the service stands beside the title. */
  readonly isBranded?: boolean;
  readonly children: ReactNode;
}

/** A page without the frame, such as the sign-in: a card in the middle. */
export function CardPage({ title, isBranded = false, children }: CardPageProps) {
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.head}>
          {isBranded && <img src="/console/favicon.svg" alt="" width="32" height="32" />}
          <h1>{title}</h1>
        </div>
        {children}
      </div>
    </main>
  );
}
