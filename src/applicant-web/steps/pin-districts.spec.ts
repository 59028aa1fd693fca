import { describe, expect, it } from 'vitest';
import { kilometres } from './nearest-branch.js';
import { districtCentre, readTable } from './pin-districts.js';

/** To two decimals. */
const CITIES: readonly [string, string, number, number][] = [
  ['Bengaluru', '560001', 12.97, 77.59],
  ['Chennai', '600017', 13.08, 80.27],
  ['Hyderabad', '500016', 17.39, 78.49],
  ['Mumbai', '400053', 19.08, 72.88],
  ['Pune', '411005', 18.52, 73.86],
  ['Delhi', '110005', 28.61, 77.21],
  ['Kolkata', '700001', 22.57, 88.36],
  ['Ahmedabad', '380001', 23.02, 72.57],
  ['Jaipur', '302001', 26.91, 75.79],
  ['Lucknow', '226001', 26.85, 80.95],
  ['Kochi', '682016', 9.93, 76.27],
  ['Guwahati', '781001', 26.14, 91.74],
];

describe('the centre of a PIN code’s district', () => {
  it.each(CITIES)('of %s (%s) is within 25 km of the city', (_, pinCode, latitude, longitude) => {
    const centre = districtCentre(pinCode);
    expect(centre && kilometres(centre, { latitude, longitude })).toBeLessThan(25);
  });

  it.each(['000000', '999999', '900001', '194101', '', 'x'])('is not known for %j', (pinCode) => {
    expect(districtCentre(pinCode)).toBeNull();
  });
});

describe('the table of data/pin-districts', () => {
  const runs = readTable();

  it('has PIN codes in runs that do not overlap, in India', () => {
    expect(runs.length).toBeGreaterThan(1_000);
    runs.forEach(({ from, to, centre }, index) => {
      expect([from, to].every((pin) => /^[1-8]\d{5}$/.test(pin)) && from <= to).toBe(true);
      expect((runs[index - 1]?.to ?? '') < from).toBe(true);
      expect(centre.latitude).toBeGreaterThan(6);
      expect(centre.latitude).toBeLessThan(37);
      expect(centre.longitude).toBeGreaterThan(68);
      expect(centre.longitude).toBeLessThan(98);
    });
  });
});
