/** Shared by the commands of the long runs. */
interface Report {
  readonly findings: readonly string[];
  readonly figures: object;
}

const MAX_FINDINGS = 40;

/** @throws Error that names the option */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
}

export function printReport({ findings, figures }: Report, allIsWell: string): void {
  for (const [name, value] of Object.entries(figures)) {
    console.log(`  ${name.padEnd(24)}${String(value).padStart(8)}`);
  }
  for (const finding of findings.slice(0, MAX_FINDINGS)) console.error(`FINDING ${finding}`);
  console.log(findings.length === 0 ? allIsWell : `${findings.length} findings.`);
}
