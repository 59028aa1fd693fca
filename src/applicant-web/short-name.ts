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
