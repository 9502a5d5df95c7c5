import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext, useRouter } from '@tanstack/react-router';
import { NameForm } from '../../environments/name-form.tsx';
import { CardPage } from '../../frame/card-page.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { environmentsQuery, sessionQuery } from '../../session/session.ts';
import { buttonClass } from '../../ui/button.tsx';
import styles from './start.module.css';
import { START_MESSAGES } from './start-messages.ts';

/** The first page of an account without environments. Every account may create some. */
export function StartPage() {
  const texts = useMessages(START_MESSAGES);
  const { api } = useRouteContext({ from: '/' });
  const router = useRouter();
  const client = useQueryClient();
  const session = useQuery({ ...sessionQuery(api), enabled: false });
  const create = async (name: string) => {
    const { body } = await api.send('createEnvironment', { body: { name } });
    await Promise.all([
      client.resetQueries({ queryKey: sessionQuery(api).queryKey }),
      client.resetQueries({ queryKey: environmentsQuery(api).queryKey }),
    ]);
    const params = { environment: String(body.id) };
    await router.navigate({ to: '/$environment/overview', params, replace: true });
  };
  return (
    <CardPage title={texts.title} isBranded>
      <p>{texts.text}</p>
      <NameForm submitText={texts.create} onSave={create} />
      <p className={styles.further}>{texts.invitation(session.data?.user.email ?? '')}</p>
      <div className={styles.ways}>
        <Link to="/password" search={{ next: undefined }} className={buttonClass()}>
          {texts.password}
        </Link>
        <Link to="/sign-out" preload={false} className={buttonClass()}>
          {texts.signOut}
        </Link>
      </div>
    </CardPage>
  );
}
