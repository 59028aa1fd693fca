/** A place on the earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * A link that shows a place on a map: in the phone's own map where there is one. It is a plain link,
 * followed only by whoever presses it; nothing of the map is part of our page.
 */
export function mapUrl({ latitude, longitude }: Place): string {
  const url = new URL('https://www.google.com/maps/search/');
  url.searchParams.set('api', '1');
  url.searchParams.set('query', `${latitude},${longitude}`);
  return url.toString();
}
