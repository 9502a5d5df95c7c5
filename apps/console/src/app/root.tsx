import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouteContext, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { I18nProvider, RouterProvider as AriaRouterProvider } from 'react-aria-components';
import { useLogOfPage } from '../frame/use-log-of-page.ts';
import { KeyboardProvider } from '../keys/keyboard-context.tsx';
import { chooseLocale } from '../messages/define-messages.ts';
import { LocaleProvider, PSEUDO } from '../messages/locale-context.tsx';
import { ReplacedAccountPage } from './other-pages.tsx';
import { profileQuery, sessionQuery } from '../session/session.ts';

/** The tag itself if the console has its language, and the console's language otherwise. */
function languageOf(tag: string): string {
  const locale = chooseLocale([tag]);
  return tag.toLowerCase().startsWith(locale) ? tag : locale;
}

/** The surroundings of every page: its language and its keys. */
export function Root() {
  const { api, log, accounts } = useRouteContext({ from: '__root__' });
  const router = useRouter();
  const session = useQuery({ ...sessionQuery(api), enabled: false });
  const account = session.data?.user.id ?? null;
  useEffect(() => accounts.read(account), [accounts, account]);
  const isReplaced = useSyncExternalStore(accounts.subscribe, () => accounts.isReplaced);
  const isUsable = session.data?.user.must_change_password === false;
  const profile = useQuery({ ...profileQuery(api), enabled: isUsable });
  const tag = profile.data?.locale ?? navigator.language;
  // Numbers and dates follow the tag, but the texts and their direction are those of one of the console's languages.
  const language = tag === PSEUDO ? 'en-US' : languageOf(tag);
  useLogOfPage(log);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const navigate = useCallback(
    (path: string) =>
      path.startsWith('/console/') ? router.history.push(path) : location.assign(path),
    [router],
  );
  return (
    <LocaleProvider value={tag}>
      <I18nProvider locale={language}>
        <AriaRouterProvider navigate={navigate}>
          <KeyboardProvider>{isReplaced ? <ReplacedAccountPage /> : <Outlet />}</KeyboardProvider>
        </AriaRouterProvider>
      </I18nProvider>
    </LocaleProvider>
  );
}
