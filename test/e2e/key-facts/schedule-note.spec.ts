import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { formatRupees } from '../../../src/platform/index.js';
import type { KeyFactsPdfs, KeyFactsStatement } from '../../../src/key-facts/index.js';
import { keyFactsExample } from '../../../src/key-facts/statement/key-facts-example.js';
import { keyFactsStatement } from '../../../src/key-facts/statement/key-facts-statement.js';
import { KeyFactsScreens } from '../../../src/applicant-web/key-facts/key-facts-screens.js';

const REQUEST = { headers: {}, acceptsLanguages: () => 'en' } as unknown as Request;

function noteOf(statement: KeyFactsStatement): string | undefined {
  const { model } = new KeyFactsScreens({} as KeyFactsPdfs).page(REQUEST, {
    statement,
    contentHash: '0'.repeat(64),
    owner: { partnerId: 'demo', subjectId: 'jrn_1' },
    isFrozen: true,
    isAgreed: true,
    pdfPath: '/kfs/token.pdf',
    bindsBy: 'SIGNATURE',
  });
  const { annexes } = model as unknown as { annexes: { id: string; note?: string }[] };
  return annexes.find(({ id }) => id === 'annex-c')!.note;
}

describe('the page’s own note on a schedule', () => {
  const statement = keyFactsStatement(keyFactsExample({ templateVersion: '4' }));

  it('is left out where the last row closes the loan', () => {
    expect(noteOf(statement)).toBeUndefined();
  });

  it('says the total of a statement that an earlier release has frozen with equal rows', () => {
    const { instalment, totalPayable } = statement.aprComputation;
    const rows = statement.repaymentSchedule.map((row) => ({ ...row, instalment }));
    const frozen = { ...statement, templateVersion: '3', repaymentSchedule: rows };
    expect(noteOf(frozen)).toContain(formatRupees(totalPayable));
  });
});
