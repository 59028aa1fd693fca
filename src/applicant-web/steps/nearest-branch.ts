import { readFileSync } from 'node:fs';
import { projectPath } from '../../platform/index.js';
import type { LenderBranch } from '../../settings/index.js';

const EARTH_KM = 6_371;
/** Above this, distances are rounded to five kilometres. */
const EXACT_KM = 20;
const STEP_KM = 5;

/** In degrees. */
export type Place = Pick<LenderBranch, 'latitude' | 'longitude'>;

interface NearestBranch {
  readonly name: string;
  /** Kilometres from the centre of the PIN code's district. */
  readonly distance: string;
  readonly isNear: boolean;
}

/**
 * @param from null when unknown
 * @param nearKm the greatest distance that counts as near
 * @returns null when the distance is unknown
 */
export function nearestBranch(
  branches: readonly (Place & Pick<LenderBranch, 'name'>)[],
  from: Place | null,
  nearKm: number,
): NearestBranch | null {
  if (!from) return null;
  const [nearest] = branches
    .map((branch) => ({ branch, distance: kilometres(from, branch) }))
    .toSorted((one, other) => one.distance - other.distance);
  if (!nearest) return null;
  const { branch, distance } = nearest;
  const { name } = branch;
  const isNear = distance <= nearKm;
  return { name, distance: shown(distance, isNear ? null : nearKm), isNear };
}

/** Great-circle distance (haversine). */
export function kilometres(one: Place, other: Place): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const part =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) *
      Math.cos(radians(other.latitude)) *
      half(one.longitude, other.longitude);
  return 2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, part)));
}

/**
 * @param above the figure must exceed it, so that "about 50 km" does not contradict "no branch
 * within 50 km"
 */
function shown(distance: number, above: number | null): string {
  const step = distance > EXACT_KM ? STEP_KM : 1;
  const rounded = Math.max(1, Math.round(distance / step) * step);
  const km = above !== null && rounded <= above ? rounded + step : rounded;
  return km.toLocaleString('en-IN');
}

const TABLE = 'data/pin-districts/districts.txt';

/** Consecutive PIN codes of one district. */
interface Run {
  readonly from: string;
  readonly to: string;
  readonly centre: Place;
}

let table: readonly Run[] | undefined;

/** Of the PIN code's district (docs/operators/configuration.md); null when unknown. */
export function districtCentre(pinCode: string): Place | null {
  table ??= readTable();
  const run = table.findLast(({ from }) => from <= pinCode);
  return run && pinCode <= run.to ? run.centre : null;
}

/** @throws Error when the release has no table */
export function readTable(): readonly Run[] {
  const lines = readFileSync(projectPath(TABLE), 'utf8').trimEnd().split('\n');
  return lines
    .flatMap((line) => {
      const [place = '', , pins = ''] = line.split('\t');
      const [latitude, longitude] = place.split(' ').map(Number);
      return pins.split(' ').map((run) => {
        const [from = '', to = from] = run.split('-');
        return { from, to, centre: { latitude, longitude } };
      });
    })
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
}
