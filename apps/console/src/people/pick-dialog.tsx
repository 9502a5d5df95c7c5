import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { type PickedIdentity, IdentityPicker } from './identity-picker.tsx';

export interface PickDialogProps {
  readonly title: string;
  readonly label: string;
  readonly cancelText: string;
  readonly except?: readonly number[];
  readonly onPick: (person: PickedIdentity) => void;
  readonly onClose: () => void;
  /** An addition to the choice of the person, such as another option. */
  readonly children?: ReactNode;
}

/** Asks for a person by name, who may be a new one. */
export function PickDialog(props: PickDialogProps) {
  const { title, label, cancelText, except = [], onPick, onClose, children } = props;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {children}
      <IdentityPicker label={label} canCreate autoFocus except={except} onPick={onPick} />
      <DialogActions>
        <Button onPress={onClose}>{cancelText}</Button>
      </DialogActions>
    </Dialog>
  );
}
