const WIDTH = 80;

/** A text as lines of at most 80 characters where its words allow it, all behind `indent`. */
export function wrapped(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, indent + line];
}
