import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

export interface PanelProps {
  readonly title: string;
  /** A sentence below the title. */
  readonly text?: string | undefined;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A titled part of a page. */
export function Panel({ title, text, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {children}
    </section>
  );
}

/** The parts of a page below each other. */
export function Panels({ children }: { readonly children: ReactNode }) {
  return <div className={styles.panels}>{children}</div>;
}
