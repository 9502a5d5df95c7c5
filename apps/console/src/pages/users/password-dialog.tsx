import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { USERS_MESSAGES } from './users-messages.ts';

export interface PasswordDialogProps {
  readonly password: string;
  readonly onClose: () => void;
}

/** Shows a password once, for the person whose account it is. */
export function PasswordDialog({ password, onClose }: PasswordDialogProps) {
  const texts = useMessages(USERS_MESSAGES);
  return (
    <Dialog title={texts.passwordTitle} isOpen>
      <p>{texts.passwordText}</p>
      <CopyBlock text={password} />
      <DialogActions>
        <Button look="primary" onPress={onClose} autoFocus>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
