import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type User, useChangeUser, type UserChange } from './change-user-dialog.tsx';
import styles from './users.module.css';
import { USERS_MESSAGES } from './users-messages.ts';

export interface UserRowProps {
  readonly user: User;
  readonly isSelf: boolean;
  /** Called with a change that the person has to confirm. */
  readonly onChange: (change: Exclude<UserChange, 'enable'> | 'appoint') => void;
}

export function UserRow({ user, isSelf, onChange }: UserRowProps) {
  const texts = useMessages(USERS_MESSAGES);
  const formats = useFormats();
  const enable = useChangeUser(user);
  const changes = possibleChanges(user, isSelf);
  return (
    <tr>
      <th scope="row">
        {user.email}
        {isSelf && ` (${texts.you})`}
      </th>
      <td>
        <bdi>{user.name}</bdi>
      </td>
      <td>{user.is_admin ? texts.administrator : texts.member}</td>
      <td>
        {user.disabled ? texts.disabled : texts.enabled}
        {user.must_change_password && <div className={styles.quiet}>{texts.mustChange}</div>}
        {!user.email_verified && <div className={styles.quiet}>{texts.notVerified}</div>}
      </td>
      <td>{formats.date(user.created_at)}</td>
      <td>
        <div className={styles.actions}>
          {changes.map((change) => (
            <Button
              key={change}
              aria-label={texts[`${change}Of`](user.email)}
              onPress={() =>
                change === 'enable' ? enable.mutate({ disabled: false }) : onChange(change)
              }
            >
              {texts[change]}
            </Button>
          ))}
        </div>
        {enable.error && <Failure error={enable.error} />}
      </td>
    </tr>
  );
}

/** The own account is changed on its page, and stays enabled and an administrator. */
function possibleChanges(user: User, isSelf: boolean): readonly (UserChange | 'appoint')[] {
  const vouch = user.email_verified ? [] : (['vouch'] as const);
  if (isSelf) return [...vouch, 'appoint'];
  if (user.disabled) return ['enable', ...vouch];
  return ['reset', user.is_admin ? 'demote' : 'promote', ...vouch, 'appoint', 'disable'];
}
