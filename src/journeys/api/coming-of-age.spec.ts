import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { bodyA, bodyB, problemsOf } from './initiate-body-example.js';

describe('coming of age', () => {
  const born = (dob: string, today: string) => problemsOf(bodyA({}, { dob }), today);
  const MINOR = { 'customer.dob': 'must be the date of birth of an applicant of 18 or older' };

  it('is on the eighteenth birthday and not the day before', () => {
    expect(born('2008-06-15', '2026-06-14')).toEqual(MINOR);
    expect(born('2008-06-15', '2026-06-15')).toEqual({});
  });

  it('goes by the date in India, where it is tomorrow already', () => {
    expect(born('2008-06-15', '2026-06-14T18:29:59Z')).toEqual(MINOR);
    expect(born('2008-06-15', '2026-06-14T18:30:00Z')).toEqual({});
  });

  it('of those born on a leap day is on the first of March of a common year', () => {
    expect(born('2008-02-29', '2026-02-28')).toEqual(MINOR);
    expect(born('2008-02-29', '2026-03-01')).toEqual({});
  });

  it.each(['2026-06-16', '9982-01-01', '9999-12-31'])(
    'has not been reached by who is born after today: %s',
    (dob) => {
      expect(born(dob, '2026-06-15')).toEqual(MINOR);
    },
  );

  it.each(['0000-01-01', '1899-12-31'])(
    'is not looked at for %s, a year that no applicant is born in',
    (dob) => {
      const problem = 'must be a valid date, as YYYY-MM-DD';
      expect(born(dob, '2026-06-15')).toEqual({ 'customer.dob': problem });
    },
  );

  it('is in variant B, too', () => {
    expect(problemsOf(bodyB({}, { dob: '2008-06-16' }))).toEqual(MINOR);
  });
});
