import { useState } from 'react';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { IdentityPicker } from '../../people/identity-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { type Box, isTooSmall, MIN_SIDE } from './draft-box.ts';
import styles from './image.module.css';
import { IMAGE_MESSAGES } from './image-messages.ts';
import type { DrawnBox } from './use-decisions.ts';

export interface DraftChoices {
  readonly type: DrawnBox['type'];
  readonly label: string | undefined;
}

export interface DraftPanelProps extends DraftChoices {
  readonly draft: Box;
  readonly onChange: (choices: DraftChoices) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** The type of the drawn box, with the name that it gets. */
export function DraftPanel({ draft, type, label, onChange, onSave, onCancel }: DraftPanelProps) {
  const texts = useMessages(IMAGE_MESSAGES);
  const formats = useFormats();
  const [x, y, w, h] = [draft.x, draft.y, draft.w, draft.h].map((value) => formats.number(value));
  const name = label === undefined ? null : texts.draftName(label);
  return (
    <section className={styles.panel} aria-label={texts.drawing}>
      <h2>{texts.drawing}</h2>
      <p className={styles.quiet}>{texts.drawHint}</p>
      <p role="status">{texts.draft(`${x}, ${y}`, `${w} × ${h}`)}</p>
      {isTooSmall(draft) && (
        <Notice look="warn" isAlert>
          {texts.tooSmall(formats.number(MIN_SIDE))}
        </Notice>
      )}
      <Select
        label={texts.kind}
        options={[
          { value: 'face', text: texts.face },
          { value: 'object', text: texts.object },
        ]}
        value={type}
        onChange={(chosen) => onChange({ type: chosen, label })}
      />
      <IdentityPicker
        label={texts.nameIt}
        type={type}
        canCreate
        createText={texts.newLabel}
        onPick={({ label: chosen }) => onChange({ type, label: chosen })}
      />
      {name !== null && (
        <Chips
          label={texts.nameIt}
          chips={[
            {
              key: 'name',
              text: name,
              removeText: name,
              onRemove: () => onChange({ type, label: undefined }),
            },
          ]}
        />
      )}
      <div className={styles.actions}>
        <Button look="primary" shortcut="Enter" isDisabled={isTooSmall(draft)} onPress={onSave}>
          {texts.save}
        </Button>
        <Button shortcut="image.cancelDraft" onPress={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </section>
  );
}

/** The box that is being drawn, with what it is. */
export function useDraft() {
  const [draft, setDraft] = useState<Box | null>(null);
  const [choices, setChoices] = useState<DraftChoices>({ type: 'face', label: undefined });
  return {
    draft,
    setDraft,
    choices,
    setChoices,
    cancel: () => {
      setDraft(null);
      setChoices((last) => ({ ...last, label: undefined }));
    },
  };
}
