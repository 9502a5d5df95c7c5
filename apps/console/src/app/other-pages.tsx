import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { CardPage } from '../frame/card-page.tsx';
import { Empty } from '../frame/page-state.tsx';
import { FRAME_MESSAGES } from '../frame/frame-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
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

/** Stands in place of the pages of an account after another one has signed in, so that nothing is done in its name. */
export function ReplacedAccountPage() {
  const texts = useMessages(FRAME_MESSAGES);
  return (
    <CardPage title={texts.replaced}>
      <p>{texts.replacedText}</p>
      <Button look="primary" onPress={() => location.assign('/console/')}>
        {texts.replacedReload}
      </Button>
    </CardPage>
  );
}
