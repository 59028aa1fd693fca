import { describe, expect, it } from 'vitest';
import { branchByPin, isNoneInRegion } from './branch-by-pin.js';

const MUMBAI = { name: 'Andheri West', address: '14 Veera Desai Road, Mumbai 400053' };
const PUNE = { name: 'Shivajinagar', address: '411187 Fergusson Road, Pune 411 005' };
const DELHI = { name: 'Karol Bagh', address: '2412 Gurudwara Road, New Delhi 110005' };
const BRANCHES = [DELHI, MUMBAI, PUNE];

describe('the branch by PIN code', () => {
  it('is the one whose code begins most alike', () => {
    expect(branchByPin(BRANCHES, '400001')).toEqual({ ...MUMBAI, isInDistrict: true });
    expect(branchByPin(BRANCHES, '411038')).toEqual({ ...PUNE, isInDistrict: true });
  });

  it('is said not to be in the district from the third digit on', () => {
    expect(branchByPin(BRANCHES, '122003')).toEqual({ ...DELHI, isInDistrict: false });
    expect(branchByPin(BRANCHES, '416001')).toEqual({ ...PUNE, isInDistrict: false });
  });

  it('is none where no code begins alike, an address has no code, or the applicant’s is not known', () => {
    expect(branchByPin(BRANCHES, '700001')).toBeNull();
    expect(branchByPin([{ name: 'Town', address: 'Main Road 4000537' }], '400053')).toBeNull();
    expect(branchByPin([], '400053')).toBeNull();
    expect(branchByPin(BRANCHES, null)).toBeNull();
  });
});

describe('that no branch is in the region', () => {
  it('is said where the codes of all begin otherwise', () => {
    expect(isNoneInRegion(BRANCHES, '700001')).toBe(true);
    expect(isNoneInRegion(BRANCHES, '122003')).toBe(false);
  });

  it('is not said where it is not known: without a code of a branch, or of the applicant', () => {
    const unknown = { address: 'Main Road, Kolkata' };
    expect(isNoneInRegion([...BRANCHES, unknown], '700001')).toBe(false);
    expect(isNoneInRegion([], '700001')).toBe(false);
    expect(isNoneInRegion(BRANCHES, null)).toBe(false);
  });
});
