import { describe, expect, it } from 'vitest';
import { masked, missingDetails, shownApplicant, withChanges } from './applicant-details.js';

const IDENTITY = { mobile: '9876543210', pan: 'ABCDE1234F' };
const COMPLETE = {
  ...IDENTITY,
  fullName: 'Asha Verma',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: 60_000.5,
  pinCode: '560001',
};

describe('an applicant as shown', () => {
  it('has the last four characters of mobile and PAN, and amounts in paise', () => {
    expect(shownApplicant({ applicant: COMPLETE })).toEqual({
      fullName: 'Asha Verma',
      maskedMobile: '••••••3210',
      maskedPan: '••••••234F',
      dob: '1990-04-15',
      gender: 'FEMALE',
      employmentType: 'salaried',
      monthlyIncome: 6_000_050,
      annualIncome: null,
      pinCode: '560001',
      gold: null,
    });
    expect(masked('12')).toBe('12');
  });

  it('has a name however it was given, one part being enough', () => {
    const nameOf = (fields: object) =>
      shownApplicant({ applicant: { ...IDENTITY, ...fields } }).fullName;
    expect(nameOf({ firstName: 'Asha', lastName: 'Verma' })).toBe('Asha Verma');
    expect(nameOf({ firstName: 'Asha' })).toBe('Asha');
    expect(nameOf({ fullName: 'Asha Verma', firstName: 'A' })).toBe('Asha Verma');
    expect(nameOf({})).toBeNull();
  });
});

describe('what is missing', () => {
  const missing = (fields: object) =>
    missingDetails(shownApplicant({ applicant: { ...COMPLETE, ...fields } }));

  it('is each detail that was not given, in the order in which it is asked', () => {
    expect(missing({})).toEqual([]);
    expect(missing({ gender: undefined, fullName: undefined })).toEqual(['name', 'gender']);
    expect(missing({ employmentType: 'astronaut' })).toEqual(['employment']);
    expect(missing({ pinCode: '' })).toEqual(['pin-code']);
  });

  it('is no income when either was given', () => {
    expect(missing({ monthlyIncome: undefined, annualIncome: 720_000 })).toEqual([]);
    expect(missing({ monthlyIncome: undefined })).toEqual(['income']);
  });
});

describe('changes', () => {
  it('take the place of what they correct, and of nothing else', () => {
    const given = { ...IDENTITY, firstName: 'A', lastName: 'V', annualIncome: 1, city: 'Pune' };
    expect(withChanges(given, { fullName: 'Asha Verma' })).toEqual({
      ...IDENTITY,
      annualIncome: 1,
      city: 'Pune',
      fullName: 'Asha Verma',
    });
    expect(withChanges(given, { monthlyIncome: 5 })).toMatchObject({
      firstName: 'A',
      monthlyIncome: 5,
    });
    expect(withChanges(given, { monthlyIncome: 5 })).not.toHaveProperty('annualIncome');
    const changes = { gender: 'FEMALE' as const, mobile: '9000000000', pan: 'XXXXX0000X' };
    expect(withChanges(COMPLETE, changes)).toEqual(COMPLETE);
  });
});
