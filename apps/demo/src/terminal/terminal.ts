/** SGR codes of the styles. */
const STYLES = { bold: 1, dim: 2, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof STYLES;

/** The part of a text stream that the demo needs. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Output for the user. */
export interface Terminal {
  line(text?: string): void;
  heading(text: string): void;
  /** The text in a style; unchanged where colors are off. */
  styled(style: Style, text: string): string;
  /** A progress line that the next output replaces; written to terminals only. */
  state(text: string): void;
}

/** Uses colors only on a terminal, and not if NO_COLOR is set (no-color.org). */
export function createTerminal(
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const interactive = output.isTTY === true;
  const noColor = (environment.NO_COLOR ?? '') !== '';
  const colored = interactive && !noColor && environment.TERM !== 'dumb';
  const styled: Terminal['styled'] = (style, text) =>
    colored ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
  let stateShown = false;
  const clear = (): void => {
    if (stateShown) output.write('\r\u001b[K');
    stateShown = false;
  };
  const line = (text = ''): void => {
    clear();
    output.write(`${text}\n`);
  };
  return {
    line,
    styled,
    heading: (text) => {
      line();
      line(styled('bold', text));
    },
    state: (text) => {
      if (!interactive) return;
      clear();
      output.write(text);
      stateShown = true;
    },
  };
}
