import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

export interface VerdictProps {
  readonly similarity: number;
  readonly threshold: number;
  /** The number of faces in each photo. */
  readonly counts: readonly number[];
}

/** Whether two faces are of one person. */
export function Verdict({ similarity, threshold, counts }: VerdictProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const isSame = similarity >= threshold;
  return (
    <div role="status">
      <p className={styles.verdict} data-match={isSame || undefined}>
        {isSame ? texts.same : texts.different}
      </p>
      <p>{texts.similarity(formats.score(similarity))}</p>
      {counts
        .filter((count) => count > 1)
        .map((count, index) => (
          <p key={index} className={styles.quiet}>
            {texts.largest(formats.number(count))}
          </p>
        ))}
    </div>
  );
}
