/** A row of GeoNames' postal codes (`IN.txt`), of which these columns are read. */
const COLUMNS = { pin: 1, state: 4, district: 6, districtName: 5, latitude: 9, longitude: 10 };

/** A populated place of GeoNames' gazetteer; `admin1` and `admin2` are the codes of state and district. */
export interface GazetteerPlace {
  readonly name: string;
  readonly lat: string;
  readonly lng: string;
  readonly country: string;
  readonly admin1: string;
  readonly admin2: string;
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

interface District {
  readonly state: string;
  readonly code: string;
  readonly name: string;
  /** Where GeoNames' postal codes say that its post offices are. */
  readonly offices: Point[];
}

/** Where the two sources of GeoNames are further apart than this, neither is believed. */
const MAX_APART_KM = 100;
const KM_PER_DEGREE = 111.2;

/**
 * The table of data/pin-districts: a line for each district with a centre, `latitude longitude`, then its name, then
 * its PIN codes as runs, parted by tabs. A run is of PIN codes between which no other district has one.
 *
 * The centre is the town of the district's name, else the median of the district's towns, both of the gazetteer:
 * GeoNames' postal codes have places of their own, which for whole districts are far from the truth.
 */
export function pinDistricts(postalCodes: string, places: readonly GazetteerPlace[]): string {
  const { districts, districtOf } = readPostalCodes(postalCodes);
  const towns = places.filter(({ country }) => country === 'IN');
  const centres = new Map(
    [...districts].map(([key, district]) => [key, centreOf(district, towns)] as const),
  );
  const runs = runsOf(districtOf);
  const lines = [...districts].flatMap(([key, { name }]) => {
    const centre = centres.get(key);
    const pins = runs.get(key);
    if (!centre || !pins) return [];
    const place = [centre.latitude, centre.longitude]
      .map((degrees) => degrees.toFixed(3))
      .join(' ');
    return [`${place}\t${name}\t${pins.join(' ')}`];
  });
  return `${lines.toSorted().join('\n')}\n`;
}

function readPostalCodes(text: string) {
  const districts = new Map<string, District>();
  const votes = new Map<string, Map<string, number>>();
  for (const line of text.split('\n')) {
    const cells = line.split('\t');
    const pin = cells[COLUMNS.pin] ?? '';
    if (!/^[1-9]\d{5}$/.test(pin)) continue;
    const [state, code, name] = [COLUMNS.state, COLUMNS.district, COLUMNS.districtName].map(
      (column) => cells[column] ?? '',
    );
    const key = `${state} ${code} ${name}`;
    const district = districts.get(key) ?? { state, code, name, offices: [] };
    const [latitude, longitude] = [COLUMNS.latitude, COLUMNS.longitude].map((column) =>
      Number(cells[column]),
    );
    district.offices.push({ latitude, longitude });
    districts.set(key, district);
    const counted = votes.get(pin) ?? new Map<string, number>();
    votes.set(pin, counted.set(key, (counted.get(key) ?? 0) + 1));
  }
  const districtOf = [...votes]
    .map(([pin, counted]) => [pin, mostVoted(counted)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { districts, districtOf };
}

/** Post offices of one PIN code can be in two districts: most of them decide. */
function mostVoted(votes: ReadonlyMap<string, number>): string {
  return [...votes].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))[0][0];
}

/** Null where no town is known, or the two sources disagree. */
function centreOf(district: District, places: readonly GazetteerPlace[]): Point | null {
  const inState = places.filter(({ admin1 }) => admin1 === district.state);
  const coded = places.filter(({ admin2 }) => admin2 !== '' && admin2 === district.code);
  const ofState = coded.filter(({ admin1 }) => admin1 === district.state);
  // States have been split since one of the sources was made.
  const inDistrict = ofState.length > 0 ? ofState : coded;
  const named = namesake(district, inDistrict) ?? namesake(district, inState);
  const centre = named ? pointOf(named) : medianOf(inDistrict.map(pointOf));
  const offices = medianOf(district.offices);
  // A town of the name is believed: the offices' own places are wrong for whole districts.
  if (!centre || named) return centre;
  return offices && kilometres(centre, offices) <= MAX_APART_KM ? centre : null;
}

/** The only place of the district's name. */
function namesake({ name }: District, places: readonly GazetteerPlace[]): GazetteerPlace | null {
  const alike = places.filter((place) => letters(place.name) === letters(name));
  return alike.length === 1 ? alike[0] : null;
}

/** `Ahmadābād` as `ahmadabad`, `Bilaspur (HP)` as `bilaspur`. */
function letters(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\(.*\)/, '')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

function pointOf({ lat, lng }: GazetteerPlace): Point {
  return { latitude: Number(lat), longitude: Number(lng) };
}

function medianOf(points: readonly Point[]): Point | null {
  if (points.length === 0) return null;
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
  return {
    latitude: middle(points.map(({ latitude }) => latitude)),
    longitude: middle(points.map(({ longitude }) => longitude)),
  };
}

/** Near enough for telling wrong places from right ones. */
function kilometres(one: Point, other: Point): number {
  const across = Math.cos((one.latitude * Math.PI) / 180);
  return (
    KM_PER_DEGREE *
    Math.hypot(one.latitude - other.latitude, (one.longitude - other.longitude) * across)
  );
}

function runsOf(districtOf: readonly (readonly [string, string])[]): Map<string, string[]> {
  const runs = new Map<string, string[]>();
  let first = 0;
  for (let index = 1; index <= districtOf.length; index += 1) {
    const [from, key] = districtOf[first];
    if (districtOf[index]?.[1] === key) continue;
    const [to] = districtOf[index - 1];
    runs.set(key, [...(runs.get(key) ?? []), from === to ? from : `${from}-${to}`]);
    first = index;
  }
  return runs;
}
