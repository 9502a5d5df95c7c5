import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './dialog.module.css';
import { joinClasses } from './join-classes.ts';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called when the person closes it; if absent, it stays until its task is done. */
  readonly onClose?: (() => void) | undefined;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, isWide = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => !open && onClose?.()}
    >
      <Modal className={joinClasses(styles.modal, isWide && styles.wide)}>
        <AriaDialog className={styles.dialog}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
