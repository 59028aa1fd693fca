import { describe, expect, it } from 'vitest';
import { ombudsmanOf, OMBUDSMEN } from './lender-terms.js';
import { LENDER_KINDS } from './remote-lender.js';

describe('ombudsmanOf', () => {
  it.each(LENDER_KINDS)('is that of the kind where nothing is configured: %s', (lenderKind) => {
    const expected = lenderKind === 'HOUSING_FINANCE_COMPANY' ? 'NHB' : 'RBI_CMS';
    expect(ombudsmanOf({ lenderKind })).toBe(expected);
  });

  it.each(OMBUDSMEN)('is what is configured, whatever the kind: %s', (ombudsman) => {
    for (const lenderKind of [...LENDER_KINDS, undefined]) {
      expect(ombudsmanOf({ ombudsman, ...(lenderKind && { lenderKind }) })).toBe(ombudsman);
    }
  });

  it('is that of the RBI for a lender of unknown kind', () => {
    expect(ombudsmanOf({})).toBe('RBI_CMS');
  });
});
