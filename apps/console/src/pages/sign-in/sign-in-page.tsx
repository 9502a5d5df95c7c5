import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouteContext, useSearch } from '@tanstack/react-router';
import { CardPage } from '../../frame/card-page.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';

export function SignInPage() {
  const texts = useMessages(SIGN_IN_MESSAGES);
  const { api, expired } = useRouteContext({ from: '/sign-in' });
  const { next, error } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const capabilities = useQuery(capabilitiesQuery(api));
  return (
    <CardPage title={texts.title} isBranded>
      {error !== undefined && <Notice look="bad">{texts.refused(error)}</Notice>}
      <SignInForm
        api={api}
        onSignedIn={(user) => {
          // Requests of the last session may have been refused after its end.
          expired.renew();
          if (user.must_change_password) {
            void router.navigate({ to: '/password', search: { next } });
          } else {
            router.history.push(next ?? '/console/');
          }
        }}
      />
      {capabilities.data?.sign_in.includes('oidc') && (
        <a className={buttonClass()} href="/api/auth/oidc">
          {texts.oidc}
        </a>
      )}
    </CardPage>
  );
}
