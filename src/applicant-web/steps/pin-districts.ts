import { readFileSync } from 'node:fs';
import { projectPath } from '../../platform/index.js';
import type { Place } from './nearest-branch.js';

const TABLE = 'data/pin-districts/districts.txt';

/** Consecutive PIN codes of one district. */
interface Run {
  readonly from: string;
  readonly to: string;
  readonly centre: Place;
}

let table: readonly Run[] | undefined;

/** The centre of the PIN code's district (docs/operators/configuration.md); null when unknown. */
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
