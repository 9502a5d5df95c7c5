import { type ReactNode, useId } from 'react';
import styles from './account.module.css';

export interface SectionProps {
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </section>
  );
}
