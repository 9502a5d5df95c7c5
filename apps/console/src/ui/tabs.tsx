import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import styles from './tabs.module.css';

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly text: string }[];
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  /** The content of the selected tab. */
  readonly children: ReactNode;
}

/** The parts of a page, of which one is shown. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, selected, onSelect, children } = props;
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(key as Name)}>
      {/* A tab that was clicked leaves Enter and Space to the page. */}
      <div
        onPointerUp={({ target }) =>
          (target as HTMLElement).closest<HTMLElement>('[role=tab]')?.blur()
        }
      >
        <TabList aria-label={label} className={styles.list}>
          {tabs.map(({ name, text }) => (
            <Tab key={name} id={name} className={styles.tab}>
              {text}
            </Tab>
          ))}
        </TabList>
      </div>
      <TabPanel key={selected} id={selected} className={styles.panel}>
        {children}
      </TabPanel>
    </AriaTabs>
  );
}
