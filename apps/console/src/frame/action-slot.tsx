import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

const ActionSlotContext = createContext<HTMLElement | null>(null);

export const ActionSlotProvider = ActionSlotContext.Provider;

/** Shows the children in the bar at the bottom, above the message about the latest change. */
export function InActionBar({ children }: { readonly children: ReactNode }) {
  const slot = useContext(ActionSlotContext);
  return slot === null ? null : createPortal(children, slot);
}
