/** What running text calls the lender of an offer: its short name where the configuration has one, else the legal one. */
export function shortName({
  lenderName,
  terms,
}: {
  readonly lenderName: string;
  readonly terms: { readonly lenderShortName?: string };
}): string {
  return terms.lenderShortName ?? lenderName;
}
