import { CopyButton } from './copy-button.tsx';
import styles from './copy-block.module.css';

/** A text to copy, such as a secret, a command or a program. */
export function CopyBlock({ text }: { readonly text: string }) {
  return (
    <div className={styles.block}>
      {/* The block scrolls, so the keyboard has to reach it. */}
      <pre tabIndex={0}>{text}</pre>
      <div>
        <CopyButton text={text} />
      </div>
    </div>
  );
}
