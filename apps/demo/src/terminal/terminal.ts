/** The SGR codes (ANSI escape sequences) of the styles. */
const STYLES = { bold: 1, dim: 2, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof STYLES;

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Terminal {
  line(text?: string): void;
  heading(text: string): void;
  /** The text with the style's escape codes; unchanged if colors are off. */
  styled(style: Style, text: string): string;
  /** Writes a progress line that the next output replaces. Writes nothing if the output is not a terminal. */
  state(text: string): void;
}

/** Uses colors only if the output is a terminal and NO_COLOR is not set (no-color.org). */
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
