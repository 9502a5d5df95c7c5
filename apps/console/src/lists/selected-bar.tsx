import type { ReactNode } from 'react';
import { InActionBar } from '../frame/action-slot.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { LISTS_MESSAGES } from './lists-messages.ts';
import styles from './selected-bar.module.css';

export interface SelectedBarProps {
  /** How many rows are selected. */
  readonly text: string;
  readonly onClear: () => void;
  /** The buttons for the selected rows. */
  readonly children: ReactNode;
}

/** The actions for the selected rows of a grid. */
export function SelectedBar({ text, onClear, children }: SelectedBarProps) {
  const texts = useMessages(LISTS_MESSAGES);
  return (
    <InActionBar>
      <section className={styles.bar} aria-label={texts.selection}>
        <span role="status">{text}</span>
        {children}
        <Button look="quiet" shortcut="Esc" onPress={onClear}>
          {texts.nothing}
        </Button>
      </section>
    </InActionBar>
  );
}
