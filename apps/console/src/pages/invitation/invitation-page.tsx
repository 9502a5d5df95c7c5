import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouteContext } from '@tanstack/react-router';
import { isProblem } from '../../client/api-error.ts';
import { CardPage } from '../../frame/card-page.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { sessionQuery } from '../../session/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AcceptAsMember } from './accept-as-member.tsx';
import { AcceptAsVisitor } from './accept-as-visitor.tsx';
import { INVITATION_MESSAGES } from './invitation-messages.ts';

/**
 * Accepts an invitation to an environment. The secret of the link follows its # sign, which browsers send to no service,
 * so the person signs in on this page and not on another one.
 */
export function InvitationPage() {
  const texts = useMessages(INVITATION_MESSAGES);
  return (
    <CardPage title={texts.title} isBranded>
      <Content />
    </CardPage>
  );
}

function Content() {
  const texts = useMessages(INVITATION_MESSAGES);
  const { api } = useRouteContext({ from: '/invitation' });
  const token = useLocation({ select: ({ hash }) => hash });
  const session = useQuery(sessionQuery(api));
  if (token === '') return <Notice look="warn">{texts.incomplete}</Notice>;
  if (session.data) return <AcceptAsMember token={token} email={session.data.user.email} />;
  if (session.error === null) return <Loading />;
  if (isProblem(session.error, 'unauthenticated')) return <AcceptAsVisitor token={token} />;
  return <Failure error={session.error} onRetry={() => void session.refetch()} />;
}
