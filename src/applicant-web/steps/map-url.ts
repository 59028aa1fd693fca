export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** A plain link to the phone's own map; no map is embedded. */
export function mapUrl({ latitude, longitude }: Place): string {
  const url = new URL('https://www.google.com/maps/search/');
  url.searchParams.set('api', '1');
  url.searchParams.set('query', `${latitude},${longitude}`);
  return url.toString();
}
