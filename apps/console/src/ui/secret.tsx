import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './secret.module.css';

export interface SecretProps {
  readonly text: string;
  readonly copy: string;
  readonly copied: string;
}

/** A text to copy, such as a secret, a command or a program. */
export function Secret({ text, copy, copied }: SecretProps) {
  const [isCopied, setCopied] = useState(false);
  const write = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className={styles.secret}>
      {/* The block scrolls, so the keyboard has to reach it. */}
      <pre tabIndex={0}>{text}</pre>
      <div className={styles.copy}>
        <Button onPress={() => void write()}>{copy}</Button>
        <span role="status">{isCopied && copied}</span>
      </div>
    </div>
  );
}
