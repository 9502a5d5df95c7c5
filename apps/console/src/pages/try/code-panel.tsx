import { useState } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type SampleRequest, toCurlCommand, toJavaScript, toPython } from './code-samples.ts';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

export interface CodePanelProps {
  readonly request: SampleRequest;
  readonly answer: object | undefined;
}

type View = 'json' | 'curl' | 'javascript' | 'python';

/** The answer of the service, and the request in three languages. */
export function CodePanel({ request, answer }: CodePanelProps) {
  const texts = useMessages(TRY_MESSAGES);
  const [view, setView] = useState<View>('curl');
  const views: Record<View, () => string> = {
    json: () => JSON.stringify(answer, null, 2),
    curl: () => toCurlCommand(request),
    javascript: () => toJavaScript(request),
    python: () => toPython(request),
  };
  // An answer that is awaited again cannot be shown.
  const shown = view === 'json' && answer === undefined ? 'curl' : view;
  const content = views[shown]();
  return (
    <section className={styles.part} aria-label={texts.code}>
      <h2>{texts.code}</h2>
      <Tabs<View>
        label={texts.code}
        selected={shown}
        onSelect={setView}
        tabs={[
          { name: 'curl', text: 'curl' },
          { name: 'javascript', text: 'JavaScript' },
          { name: 'python', text: 'Python' },
          ...(answer === undefined ? [] : [{ name: 'json', text: texts.json } as const]),
        ]}
      >
        <div className={styles.code}>
          {/* The block scrolls, so the keyboard has to reach it. */}
          <pre tabIndex={0}>{content}</pre>
          <CopyButton text={content} />
        </div>
      </Tabs>
    </section>
  );
}
