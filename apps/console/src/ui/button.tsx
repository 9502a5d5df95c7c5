import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import type { CommandId } from '../keys/commands.ts';
import { useShortcut } from '../keys/keyboard-context.tsx';
import styles from './button.module.css';
import { joinClasses } from './join-classes.ts';

export interface ButtonProps extends Omit<
  AriaButtonProps,
  // React Aria announces a pending button by an element without a name once the button is gone.
  'className' | 'style' | 'children' | 'isPending'
> {
  /** `primary`: what the page is for; `danger`: it deletes; `quiet`: without a frame. */
  readonly look?: 'primary' | 'danger' | 'quiet';
  /** The command whose key does the same, or a key that cannot be changed. */
  readonly shortcut?: CommandId | FixedKey | null | undefined;
  /** Whether its task is running. It does nothing then, but keeps the focus, which a disabled button loses. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function Button({ look, shortcut, isBusy = false, children, ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      {...(isBusy && { onPress: doNothing, 'aria-disabled': true })}
      className={joinClasses(styles.button, look && styles[look])}
    >
      {children}
      {isFixed(shortcut) ? <Key name={shortcut} /> : shortcut && <CommandKey id={shortcut} />}
    </AriaButton>
  );
}

function doNothing(): void {
  // The task of the button is running already.
}

type FixedKey = 'Enter' | 'Esc';

function isFixed(shortcut: ButtonProps['shortcut']): shortcut is FixedKey {
  return shortcut === 'Enter' || shortcut === 'Esc';
}

function CommandKey({ id }: { readonly id: CommandId }) {
  const name = useShortcut(id);
  return name !== null && <Key name={name} />;
}

function Key({ name }: { readonly name: string }) {
  return (
    <kbd className={styles.key} aria-hidden>
      {name === 'Delete' ? 'Del' : name}
    </kbd>
  );
}

/** The class of links that look like a button. */
export function buttonClass(look?: ButtonProps['look']): string {
  return joinClasses(styles.button, look && styles[look]);
}
