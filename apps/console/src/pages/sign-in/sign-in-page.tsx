import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouteContext, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';
import styles from './sign-in.module.css';

export function SignInPage() {
  const texts = useMessages(SIGN_IN_MESSAGES);
  const { api, expired } = useRouteContext({ from: '/sign-in' });
  const { next, error } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const capabilities = useQuery(capabilitiesQuery(api));
  useEffect(() => {
    document.title = `${texts.title} · Sightline`;
  }, [texts]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src="/console/favicon.svg" alt="" width="32" height="32" />
          <h1>{texts.title}</h1>
        </div>
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
      </div>
    </main>
  );
}
