import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { districtCentre, kilometres, nearestBranch } from './nearest-branch.js';

const branch = (name: string, latitude: number, longitude: number) => ({
  name,
  latitude,
  longitude,
});
const HYDERABAD = branch('Ameerpet', 17.4375, 78.4483);
const CHENNAI = branch('T. Nagar', 13.0418, 80.2341);
const KOCHI = branch('Ernakulam', 9.9816, 76.2999);
const BENGALURU = { latitude: 12.972, longitude: 77.594 };
const NEAR_KM = 50;

/** A branch `distance` kilometres north of Bengaluru. */
const north = (distance: number) =>
  branch('North', BENGALURU.latitude + distance / 111.195, BENGALURU.longitude);

describe('the nearest branch', () => {
  it('is found by coordinates, not by PIN codes that look alike', () => {
    const nearest = nearestBranch([HYDERABAD, KOCHI, CHENNAI], BENGALURU, NEAR_KM);
    expect(nearest).toEqual({
      name: 'T. Nagar',
      distance: '285',
      isNear: false,
    });
  });

  it.each([
    [0.4, 1],
    [7.4, 7],
    [20.4, 20],
    [22.6, 25],
    [47.4, 45],
    [53, 55],
    [1_561, '1,560'],
  ])('is %d km away and is shown as %s km', (distance, shown) => {
    expect(nearestBranch([north(distance)], BENGALURU, NEAR_KM)?.distance).toBe(String(shown));
  });

  it.each([
    [49.9, 50, true],
    [50.1, 50, false],
    [10.1, 10, false],
    [10.1, 11, true],
  ])('at %d km is near within %d km: %s', (distance, nearKm, isNear) => {
    expect(nearestBranch([north(distance)], BENGALURU, nearKm)?.isNear).toBe(isNear);
  });

  it('is not known without a place or without a branch', () => {
    expect(nearestBranch([CHENNAI], null, NEAR_KM)).toBeNull();
    expect(nearestBranch([], BENGALURU, NEAR_KM)).toBeNull();
  });

  const places = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });

  it('is none that another is nearer than', () => {
    fc.assert(
      fc.property(places, fc.array(places, { minLength: 1, maxLength: 8 }), (from, others) => {
        const branches = others.map((place, index) => ({
          ...place,
          name: String(index),
        }));
        const nearest = nearestBranch(branches, from, NEAR_KM)!;
        const distance = kilometres(from, branches[Number(nearest.name)]);
        for (const each of branches) expect(distance).toBeLessThanOrEqual(kilometres(from, each));
      }),
    );
  });
});

/** To two decimals. */
const CITIES: readonly [string, string, number, number][] = [
  ['Bengaluru', '560001', 12.97, 77.59],
  ['Chennai', '600017', 13.08, 80.27],
  ['Delhi', '110005', 28.61, 77.21],
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
