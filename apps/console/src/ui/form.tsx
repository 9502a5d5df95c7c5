import type { ReactNode, SyntheticEvent } from 'react';
import styles from './form.module.css';

export interface FormProps {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Fields below each other, which the key Enter sends. */
export function Form({ onSubmit, children }: FormProps) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
    </form>
  );
}
