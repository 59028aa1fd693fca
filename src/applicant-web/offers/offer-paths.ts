/** The pages of one offer: its amount; `/confirm` after it confirms the choice. */
export function offerPath(offerId: string): string {
  return `/hosted/offers/${encodeURIComponent(offerId)}`;
}
