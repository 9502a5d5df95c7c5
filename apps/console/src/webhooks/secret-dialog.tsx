import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { WEBHOOK_MESSAGES } from './webhook-messages.ts';

export interface SecretDialogProps {
  readonly secret: string;
  /** Whether it replaces another one, which is valid for a day. */
  readonly isNext?: boolean;
  readonly onClose: () => void;
}

/** Shows a secret once. It is only in the memory of the page that made it. */
export function SecretDialog({ secret, isNext = false, onClose }: SecretDialogProps) {
  const texts = useMessages(WEBHOOK_MESSAGES);
  return (
    <Dialog title={texts.secretTitle} isOpen isWide>
      <p>{texts.secretText}</p>
      {isNext && <p>{texts.secretDay}</p>}
      <CopyBlock text={secret} />
      <DialogActions>
        <Button look="primary" onPress={onClose} autoFocus>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
