import { scheduleTotal } from '../../loans/index.js';
import { type KeyFactsInput, statementInstant } from './key-facts-input.js';

/**
 * An applicant must never see an incomplete statement.
 * @throws RangeError naming what is missing or inconsistent
 */
export function assertKeyFacts(input: KeyFactsInput): void {
  assertTexts(input);
  if (statementInstant(input.validUntil) <= statementInstant(input.issuedAt)) {
    throw new RangeError('Key facts: validUntil must be after issuedAt');
  }
  if (!Number.isInteger(input.coolingOffDays) || input.coolingOffDays < 1) {
    throw new RangeError('Key facts: coolingOffDays must be a whole number of at least one');
  }
  assertFees(input);
  assertSchedule(input);
}

function assertFees({ quote }: KeyFactsInput): void {
  // The total would include another payee, but neither list would.
  for (const fee of quote.fees) {
    if (fee.payee !== 'LENDER' && fee.payee !== 'THIRD_PARTY') {
      throw new RangeError(`Key facts: fee '${fee.name}' has no known payee`);
    }
  }
}

function assertTexts(input: KeyFactsInput): void {
  const texts: Record<string, string> = {
    offerId: input.offerId,
    templateVersion: input.templateVersion,
    lenderLegalName: input.lenderLegalName,
    lspName: input.lspName,
    loanType: input.loanType,
    'grievanceOfficer.name': input.grievanceOfficer.name,
    'grievanceOfficer.phone': input.grievanceOfficer.phone,
    'grievanceOfficer.email': input.grievanceOfficer.email,
    recoveryAgentsClause: input.recoveryAgentsClause,
    grievanceRedressalClause: input.grievanceRedressalClause,
  };
  for (const [name, text] of Object.entries(texts)) {
    if (text.trim() === '') {
      throw new RangeError(`Key facts: ${name} is empty`);
    }
  }
}

function assertSchedule({ quote, schedule }: KeyFactsInput): void {
  const fits =
    schedule.length === quote.tenureMonths &&
    scheduleTotal(schedule) === quote.totalPayable &&
    schedule.at(-1)?.closingBalance === 0;
  if (!fits) {
    throw new RangeError('Key facts: the repayment schedule is not that of the quote');
  }
}
