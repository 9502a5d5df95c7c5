import { useState } from 'react';
import { useRead } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { IdentityPicker } from '../../people/identity-picker.tsx';
import { Form } from '../../ui/form.tsx';
import { FilterChips } from './filter-chips.tsx';
import { IMAGES_MESSAGES } from './images-messages.ts';
import styles from './images.module.css';
import { DAYS, FLAGS, type ImagesSearch, STATUSES, TYPES } from './images-search.ts';

export interface FilterDialogProps {
  readonly isOpen: boolean;
  readonly search: ImagesSearch;
  readonly onApply: (search: ImagesSearch) => void;
  readonly onClose: () => void;
}

export function FilterDialog({ isOpen, onClose, ...props }: FilterDialogProps) {
  const texts = useMessages(IMAGES_MESSAGES);
  return (
    <Dialog title={texts.filters} isOpen={isOpen} onClose={onClose} isWide>
      <FilterForm {...props} onClose={onClose} />
    </Dialog>
  );
}

function FilterForm({ search, onApply, onClose }: Omit<FilterDialogProps, 'isOpen'>) {
  const texts = useMessages(IMAGES_MESSAGES);
  const [draft, setDraft] = useState(search);
  const change = (part: ImagesSearch) => setDraft((last) => ({ ...last, ...part }));
  const submit = () => {
    onApply(draft);
  };
  return (
    <Form onSubmit={submit}>
      <FilterChips search={draft} onChange={change} />
      <div className={styles.columns}>
        <PeopleFields draft={draft} change={change} />
        <KindFields draft={draft} change={change} />
        {DAYS.map((day) => (
          <TextInput
            key={day}
            type="date"
            label={texts[day]}
            value={draft[day] ?? ''}
            onChange={(value) => change({ [day]: value === '' ? undefined : value })}
          />
        ))}
        <TextInput
          label={texts.external_ref}
          value={draft.external_ref ?? ''}
          onChange={(value) => change({ external_ref: value === '' ? undefined : value })}
        />
      </div>
      <div className={styles.columns}>
        {FLAGS.map((flag) => (
          <Checkbox
            key={flag}
            isSelected={draft[flag] === true}
            onChange={(isOn) => change({ [flag]: isOn ? true : undefined })}
          >
            {texts[flag]}
          </Checkbox>
        ))}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button type="submit" look="primary">
          {texts.apply}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface FieldsProps {
  readonly draft: ImagesSearch;
  readonly change: (part: ImagesSearch) => void;
}

function PeopleFields({ draft, change }: FieldsProps) {
  const texts = useMessages(IMAGES_MESSAGES);
  const people = draft.identity_id ?? [];
  return (
    <>
      <IdentityPicker
        label={texts.withPerson}
        onPick={({ id }) => {
          if (id !== null) change({ identity_id: [...new Set([...people, id])] });
        }}
      />
      <IdentityPicker
        label={texts.withoutPerson}
        onPick={({ id }) => {
          if (id !== null) change({ without_identity_id: id });
        }}
      />
    </>
  );
}

const ANY = '';

function KindFields({ draft, change }: FieldsProps) {
  const texts = useMessages(IMAGES_MESSAGES);
  const classes = useRead('listObjectClasses');
  const any = { value: ANY, text: texts.any };
  const names = new Set(classes.data?.items.map(({ class_name: name }) => name));
  if (draft.class_name !== undefined) names.add(draft.class_name);
  return (
    <>
      <Select
        label={texts.type}
        options={[any, ...TYPES.map((value) => ({ value, text: texts[value] }))]}
        value={draft.type ?? ANY}
        onChange={(value) => change({ type: TYPES.find((each) => each === value) })}
      />
      <Select
        label={texts.review_status}
        options={[any, ...STATUSES.map((value) => ({ value, text: texts[value] }))]}
        value={draft.review_status ?? ANY}
        onChange={(value) => change({ review_status: STATUSES.find((each) => each === value) })}
      />
      <Select
        label={texts.class_name}
        options={[any, ...[...names].map((value) => ({ value, text: value }))]}
        value={draft.class_name ?? ANY}
        onChange={(value) => change({ class_name: value === ANY ? undefined : value })}
      />
    </>
  );
}
