import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

export interface AnswerStateProps<Answer> {
  readonly answer: UseQueryResult<Answer>;
  readonly children: (data: Answer) => ReactNode;
}

/** The results, or why there are none yet. */
export function AnswerState<Answer>({ answer, children }: AnswerStateProps<Answer>) {
  const texts = useMessages(TRY_MESSAGES);
  if (answer.data !== undefined) return children(answer.data);
  if (answer.error) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />;
  return (
    <p className={styles.quiet} role="status">
      {answer.isFetching ? texts.waiting : texts.start}
    </p>
  );
}
