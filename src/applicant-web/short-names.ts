/** The lender's short name, else its legal name. */
export function shortName({
  lenderName,
  terms,
}: {
  readonly lenderName: string;
  readonly terms: { readonly lenderShortName?: string };
}): string {
  return terms.lenderShortName ?? lenderName;
}

const SHOWN = 4;

/** `••••9012`, whatever the number's length. */
export function shortAccount(maskedNumber: string): string {
  return `${'•'.repeat(SHOWN)}${maskedNumber.slice(-SHOWN)}`;
}
