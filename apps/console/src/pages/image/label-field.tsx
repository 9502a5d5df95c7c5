import { type KeyboardEvent, useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useRead } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Icon } from '../../ui/icon.tsx';
import selectStyles from '../../ui/select.module.css';
import { LABEL_FIELD_MESSAGES } from './label-field-messages.ts';
import styles from './label-field.module.css';

/** An identity that exists, or the label of one that the decision creates. */
export type ChosenLabel =
  | { readonly kind: 'known'; readonly identityId: number; readonly label: string }
  | { readonly kind: 'new'; readonly label: string };

export interface LabelFieldProps {
  readonly label: string;
  readonly type: 'face' | 'object';
  /** Whether a label that no identity has may be chosen. */
  readonly isNewAllowed?: boolean;
  readonly autoFocus?: boolean;
  readonly onChoose: (chosen: ChosenLabel) => void;
}

interface Option {
  readonly id: string;
  readonly text: string;
  readonly cover: string | null;
  readonly chosen: ChosenLabel;
}

const MOST = 8;

/** Finds an identity by its label while the person types. */
export function LabelField({ label, type, onChoose, ...props }: LabelFieldProps) {
  const { isNewAllowed = false, autoFocus = false } = props;
  const texts = useMessages(LABEL_FIELD_MESSAGES);
  const [text, setText] = useState('');
  const query = text.trim();
  const { options, exact } = useOptions(query, { type, isNewAllowed });
  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    setText('');
    onChoose(option.chosen);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isOnOption = event.currentTarget.hasAttribute('aria-activedescendant');
    if (event.key === 'Enter' && !isOnOption) choose(exact);
  };
  return (
    <ComboBox
      className={selectStyles.select}
      items={options}
      inputValue={text}
      onInputChange={setText}
      value={null}
      onChange={(key) => choose(options.find(({ id }) => id === key))}
      allowsEmptyCollection
    >
      <Label className={selectStyles.label}>{label}</Label>
      <Input className={selectStyles.input} autoFocus={autoFocus} onKeyDown={onKeyDown} />
      <Popover className={selectStyles.popover}>
        <ListBox<Option>
          className={selectStyles.list}
          renderEmptyState={() => (
            <p className={styles.empty}>{query === '' ? texts.type : texts.none}</p>
          )}
        >
          {(option) => (
            <ListBoxItem id={option.id} className={selectStyles.item} textValue={option.text}>
              {option.cover === null ? (
                <Icon name={option.chosen.kind === 'new' ? 'plus' : 'account'} />
              ) : (
                <img className={styles.cover} src={`${option.cover}?w=96`} alt="" />
              )}
              <bdi>{option.text}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** The identities that a text finds, and the one that has exactly this label or would get it. */
function useOptions(
  query: string,
  {
    type,
    isNewAllowed,
  }: { readonly type: LabelFieldProps['type']; readonly isNewAllowed: boolean },
): { readonly options: readonly Option[]; readonly exact: Option | undefined } {
  const texts = useMessages(LABEL_FIELD_MESSAGES);
  const found = useRead(
    'searchIdentities',
    { query: { q: query, type, limit: MOST } },
    { enabled: query !== '', keepPrevious: true },
  );
  const items = query === '' ? [] : (found.data?.items ?? []);
  const known = items.map(({ identity_id: identityId, label, thumbnail_url: cover }): Option => ({
    id: String(identityId),
    text: label,
    cover,
    chosen: { kind: 'known', identityId, label },
  }));
  const equal = known.find(({ text }) => text.toLowerCase() === query.toLowerCase());
  const isSettled = query !== '' && found.isSuccess && !found.isPlaceholderData;
  if (equal !== undefined || !isNewAllowed || !isSettled) return { options: known, exact: equal };
  const created: Option = {
    id: 'new',
    text: texts.create(query),
    cover: null,
    chosen: { kind: 'new', label: query },
  };
  return { options: [...known, created], exact: created };
}
