export interface AuditResult {
  /** The outcome is `unknown` if the check could not be made, which is not a pass. */
  readonly outcome: 'passed' | 'failed' | 'unknown';
  /** One line for the terminal. */
  readonly text: string;
}

interface Failure {
  readonly statusCode?: number;
  readonly error?: { readonly code?: string };
}

interface Advisories extends Failure {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  readonly metadata?: { readonly dependencies?: { readonly total?: number } };
}

interface Signatures extends Failure {
  readonly invalid?: readonly { readonly name: string }[];
  readonly missing?: readonly { readonly name: string }[];
}

/** @param report the parsed output of `npm audit --json` */
export function advisoriesResult(report: Advisories): AuditResult {
  if (report.vulnerabilities === undefined) {
    const reason =
      report.statusCode === undefined
        ? reasonOf(report)
        : `the registry does not offer advisories (status ${report.statusCode})`;
    return { outcome: 'unknown', text: `Advisories: not checked, ${reason}.` };
  }
  const found = Object.entries(report.vulnerabilities);
  const names = found.map(([name, { severity }]) => `${name} (${severity})`);
  const total = report.metadata?.dependencies?.total ?? 0;
  return found.length === 0
    ? { outcome: 'passed', text: `Advisories: none for the ${total} packages.` }
    : { outcome: 'failed', text: `Advisories: ${names.join(', ')}. npm audit has the details.` };
}

/** @param report the parsed output of `npm audit signatures --json` */
export function signaturesResult(report: Signatures): AuditResult {
  const { invalid, missing } = report;
  if (invalid === undefined || missing === undefined) {
    return { outcome: 'unknown', text: `Signatures: not checked, ${reasonOf(report)}.` };
  }
  const wrong = [...invalid, ...missing].map(({ name }) => name);
  return wrong.length === 0
    ? { outcome: 'passed', text: 'Signatures: each package has a valid one of the registry.' }
    : { outcome: 'failed', text: `Signatures: invalid or missing for ${wrong.join(', ')}.` };
}

function reasonOf({ error }: Failure): string {
  return `npm could not get what it needs (${error?.code ?? 'no reason given'})`;
}
