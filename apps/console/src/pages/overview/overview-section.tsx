import { type ReactNode, useId } from 'react';
import styles from './overview.module.css';

export interface OverviewSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function OverviewSection({ title, children }: OverviewSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
