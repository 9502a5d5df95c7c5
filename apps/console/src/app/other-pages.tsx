import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Empty } from '../frame/page-state.tsx';
import { FRAME_MESSAGES } from '../frame/frame-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';

export function MissingPage() {
  const texts = useMessages(FRAME_MESSAGES);
  return (
    <Empty
      title={texts.pageMissing}
      text={texts.pageMissingText}
      action={
        <Link to="/" className={buttonClass('primary')}>
          {texts.toStart}
        </Link>
      }
    />
  );
}

/** The content of a page that has failed. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  return (
    <Failure error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
  );
}

/** The first page of an account without environments. */
export function NoEnvironmentPage() {
  const texts = useMessages(FRAME_MESSAGES);
  return <Empty title={texts.noEnvironment} text={texts.noEnvironmentText} />;
}
