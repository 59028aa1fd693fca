import { describe, expect, it } from 'vitest';
import { type GazetteerPlace, pinDistricts } from '../../data/pin-districts.js';

const office = (pin: string, district: string, code: string, lat: number, lng: number) =>
  ['IN', pin, 'Office', 'State', '19', district, code, '', '', lat, lng, '1'].join('\t');

const town = (name: string, admin2: string, lat: string, lng: string): GazetteerPlace => ({
  name,
  lat,
  lng,
  country: 'IN',
  admin1: '19',
  admin2,
});

const TOWNS = [
  town('Ahmadābād', '1', '23.03', '72.59'),
  town('Elsewhere', '1', '20', '70'),
  town('One', '2', '10', '75'),
  town('Two', '2', '10.1', '75.1'),
  town('Three', '2', '10.2', '75.9'),
  { ...town('Ahmadabad', '1', '0', '0'), country: 'PK' },
];

describe('the table of districts', () => {
  it('has the town of the district’s name, else the median of its towns', () => {
    const rows = [
      office('380001', 'Ahmadabad', '1', 26, 75),
      office('641001', 'Median', '2', 10, 75),
    ];
    expect(pinDistricts(rows.join('\n'), TOWNS)).toBe(
      '10.100 75.100\tMedian\t641001\n23.030 72.590\tAhmadabad\t380001\n',
    );
  });

  it('leaves out a district without a town, and one whose offices are elsewhere', () => {
    const rows = [
      office('641001', 'Far', '2', 13, 75),
      office('700001', 'Unknown', '9', 22, 88),
      office('700002', 'Uncoded', '', 22, 88),
    ];
    expect(pinDistricts(rows.join('\n'), TOWNS).trim()).toBe('');
  });

  it('has PIN codes in runs that end where another district has one, most offices deciding', () => {
    const rows = [
      office('641001', 'Median', '2', 10, 75),
      office('641005', 'Median', '2', 10, 75),
      office('641006', 'Ahmadabad', '1', 23, 72),
      office('641009', 'Median', '2', 10, 75),
      office('641009', 'Median', '2', 10, 75),
      office('641009', 'Ahmadabad', '1', 23, 72),
      office('0', 'Ahmadabad', '1', 23, 72),
    ];
    const lines = pinDistricts(rows.join('\n'), TOWNS).trim().split('\n');
    expect(lines.map((line) => line.split('\t')[2])).toEqual(['641001-641005 641009', '641006']);
  });
});
