import { useState } from 'react';
import type { CommandId } from '../../keys/commands.ts';
import type { Action } from '../../keys/keyboard.ts';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { IdentityPicker } from '../../people/identity-picker.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './image.module.css';
import { IMAGE_MESSAGES } from './image-messages.ts';
import type { Decisions, Detection } from './use-decisions.ts';

export interface DetectionActionsProps {
  readonly detection: Detection;
  readonly decisions: Decisions;
}

/** The decisions that are possible about a detection. */
export function DetectionActions({ detection, decisions }: DetectionActionsProps) {
  const texts = useMessages(IMAGE_MESSAGES);
  const [isNaming, setNaming] = useState(false);
  const actions = useActions(detection, decisions, () => setNaming(true));
  useCommands(actions);
  return (
    <div className={styles.panel}>
      {isNaming && (
        <IdentityPicker
          label={detection.identity_id === null ? texts.nameIt : texts.moveIt}
          type={detection.type}
          canCreate
          createText={texts.newLabel}
          autoFocus
          onPick={(chosen) => {
            setNaming(false);
            decisions.name(detection, chosen);
          }}
        />
      )}
      <div className={styles.actions}>
        {actions.map(({ id, label, run }) => (
          <Button key={id} shortcut={id} isDisabled={decisions.decision.isPending} onPress={run}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface DetectionAction extends Action {
  readonly id: CommandId;
  readonly isOffered: boolean;
}

function useActions(detection: Detection, decisions: Decisions, startNaming: () => void) {
  const texts = useMessages(IMAGE_MESSAGES);
  const { type, identity_id: identity, review_status: status } = detection;
  const isFace = type === 'face';
  const hasName = identity !== null;
  const all: readonly DetectionAction[] = [
    {
      id: 'image.confirm',
      label: texts.confirm,
      run: () => decisions.confirm(detection),
      isOffered: isFace && hasName && status === 'pending',
    },
    {
      id: 'image.name',
      label: hasName ? texts.moveIt : texts.nameIt,
      run: startNaming,
      isOffered: true,
    },
    {
      id: 'image.reject',
      label: texts.reject,
      run: () => decisions.reject(detection),
      isOffered: isFace && hasName,
    },
    {
      id: 'image.unassign',
      label: texts.unassign,
      run: () => decisions.unassign(detection),
      isOffered: isFace && hasName,
    },
    {
      id: 'image.restore',
      label: texts.restore,
      run: () => decisions.restore(detection),
      isOffered: isFace && status === 'rejected',
    },
    {
      id: 'image.dismiss',
      label: texts.dismiss,
      run: () => decisions.dismiss(detection),
      isOffered: isFace && !hasName && status === 'pending',
    },
    {
      id: 'image.deleteBox',
      label: texts.deleteBox,
      run: () => decisions.remove(detection),
      isOffered: true,
    },
  ];
  return all.filter(({ isOffered }) => isOffered);
}
