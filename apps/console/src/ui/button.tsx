import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './button.module.css';
import { joinClasses } from './join-classes.ts';

export interface ButtonProps extends Omit<
  AriaButtonProps,
  // React Aria announces a pending button by an element without a name once the button is gone.
  'className' | 'style' | 'children' | 'isPending'
> {
  /** `primary`: what the page is for; `danger`: it deletes; `quiet`: without a frame. */
  readonly look?: 'primary' | 'danger' | 'quiet';
  /** The key that does the same, as it is shown on the button. */
  readonly shortcut?: string | null | undefined;
  readonly children: ReactNode;
}

export function Button({ look, shortcut, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={joinClasses(styles.button, look && styles[look])}>
      {children}
      {shortcut && (
        <kbd className={styles.key} aria-hidden>
          {shortcut}
        </kbd>
      )}
    </AriaButton>
  );
}

/** The class of links that look like a button. */
export function buttonClass(look?: ButtonProps['look']): string {
  return joinClasses(styles.button, look && styles[look]);
}
