export function offerPath(offerId: string): string {
  return `/hosted/offers/${encodeURIComponent(offerId)}`;
}
