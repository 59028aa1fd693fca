import { casesOf, NotRun } from '../case.ts';
import type { Asked, Fields } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import { sameAgain } from './idempotency.ts';
import { expectVerdict, verdictsAreAsWritten } from './verdicts.ts';

const ANSWER_SECONDS = 2;
const WORDS = ['LIKELY', 'UNLIKELY', 'UNKNOWN'];
const RANGES = ['amount', 'annualRatePercent', 'tenureMonths'];

const asked = new WeakMap<Kit, Promise<Asked>>();

/** Asked once for all cases. */
function eligibility(kit: Kit): Promise<Asked> {
  const { eligibility: product, applicant } = kit.profile;
  if (!product) throw new NotRun('the profile names no product for eligibility');
  const { productCode, loanAmount } = product;
  const { pinCode, employmentType, monthlyIncome } = applicant;
  const fields = { productCode, loanAmount, pinCode, employmentType, monthlyIncome };
  const known = asked.get(kit) ?? kit.settle(kit.question('ELIGIBILITIES', fields));
  asked.set(kit, known);
  return known;
}

function rangeProblem(verdict: Fields, loanAmount: number): string | null {
  for (const name of RANGES) {
    const { min, max } = (verdict[name] ?? { min: 0, max: 0 }) as { min: unknown; max: unknown };
    if (Number(min) > Number(max)) return `${name}: ${String(min)} is above ${String(max)}`;
  }
  const { min, max } = (verdict['amount'] ?? { min: 0, max: Infinity }) as Record<string, number>;
  const isWithin = min <= loanAmount && loanAmount <= max;
  return verdict['verdict'] === 'LIKELY' && !isWithin ? `LIKELY without ${loanAmount}` : null;
}

export const ELIGIBILITIES = casesOf('Eligibility', [
  {
    id: 'RLP-196',
    title: 'An eligibility gets its verdict within 2 seconds',
    rule: 'A verdict within 2 s, body included; 202 counts as UNKNOWN.',
    run: async (kit, check) => {
      const { first } = await eligibility(kit);
      const seen = `${first.status} after ${first.seconds.toFixed(1)} s`;
      const isInTime = first.status === 200 && first.seconds <= ANSWER_SECONDS;
      check.that(isInTime, `200 within ${ANSWER_SECONDS} s`, seen);
    },
  },
  {
    id: 'RLP-197',
    title: 'The ranges of an eligibility hold',
    rule: 'As in the document; min is at most max, and LIKELY contains the amount.',
    run: async (kit, check) => {
      const one = await eligibility(kit);
      verdictsAreAsWritten(kit, check, 'ELIGIBILITIES');
      if (!expectVerdict(check, one, ...WORDS)) return;
      const loanAmount = Number(one.question.fields['loanAmount']);
      check.each('its ranges', [one.verdict ?? {}], (verdict) => rangeProblem(verdict, loanAmount));
    },
  },
  {
    id: 'RLP-198',
    title: 'An eligibility is decided once',
    rule: 'The same key always gets the same verdict.',
    run: async (kit, check) => sameAgain(kit, check, await eligibility(kit)),
  },
]);
