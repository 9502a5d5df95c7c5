import { Link } from '@tanstack/react-router';
import { isProblem, ProblemError } from '../../client/api-error.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { SignInFailure } from '../../session/sign-in-failure.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Notice, NoticeActions } from '../../ui/notice.tsx';
import { INVITATION_MESSAGES } from './invitation-messages.ts';

/** Says why an invitation was not accepted, and what to do about it. */
export function AcceptFailure({ error }: { readonly error: Error }) {
  const texts = useMessages(INVITATION_MESSAGES);
  if (isProblem(error, 'not_found')) {
    return (
      <Notice look="bad" isAlert>
        {texts.gone}
      </Notice>
    );
  }
  if (isProblem(error, 'password_change_required')) {
    return (
      <Notice look="warn" isAlert>
        <p>{texts.mustChange}</p>
        <NoticeActions>
          <Link to="/password" search={{ next: undefined }} className={buttonClass()}>
            {texts.toPassword}
          </Link>
        </NoticeActions>
      </Notice>
    );
  }
  if (error instanceof ProblemError && isProblem(error, 'forbidden', 'member_exists')) {
    return (
      <Notice look="bad" isAlert>
        <p>{error.problem.detail}</p>
        <NoticeActions>
          <Link to="/" className={buttonClass()}>
            {texts.toStart}
          </Link>
        </NoticeActions>
      </Notice>
    );
  }
  return <SignInFailure error={error} />;
}
