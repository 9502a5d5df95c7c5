import { type ReactNode, useEffect, useRef } from 'react';
import { joinClasses } from '../ui/join-classes.ts';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** A text beside the title, such as the number of rows. */
  readonly count?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether the page is as high as the window, so that a list in it scrolls by itself. */
  readonly isFilled?: boolean;
  readonly children: ReactNode;
}

/**
 * A page of the console. Its title gets the focus after a navigation, so that a screen reader says it, unless a part of
 * the page has taken the focus by itself.
 */
export function Page({ title, count, actions, isFilled = false, children }: PageProps) {
  const page = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  useEffect(() => {
    if (page.current?.contains(document.activeElement) === true) return;
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={page} className={joinClasses(styles.page, isFilled && styles.filled)}>
      <div className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {count !== undefined && <span className={styles.count}>{count}</span>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
