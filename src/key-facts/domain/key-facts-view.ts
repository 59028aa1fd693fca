import type { Language } from '../../platform/index.js';
import { chargesIn, inLanguage } from '../../settings/index.js';
import type { KeyFactsFee, KeyFactsStatement } from './key-facts-statement.js';

export interface StatementOwner {
  readonly partnerId: string;
  readonly subjectId: string;
}

export interface KeyFactsView {
  readonly statement: KeyFactsStatement;
  /** SHA-256 (hex) of the canonical JSON. */
  readonly contentHash: string;
  /** Its share of the drawing queue is used. */
  readonly owner: StatementOwner;
  readonly isFrozen: boolean;
  readonly isAgreed: boolean;
  readonly isNotTaken?: boolean;
}

/** For reading only, never hashed. */
export function readIn(statement: KeyFactsStatement, language: Language): KeyFactsStatement {
  const { part1, part2, collateralExplanation, texts } = statement;
  const say = (text: string) => inLanguage(texts, language, text);
  const sayFee = (fee: KeyFactsFee) => ({ ...fee, name: say(fee.name) });
  return {
    ...statement,
    part1: {
      ...part1,
      loanType: say(part1.loanType),
      fees: {
        ...part1.fees,
        payableToLender: part1.fees.payableToLender.map(sayFee),
        payableToThirdParties: part1.fees.payableToThirdParties.map(sayFee),
      },
      contingentCharges: chargesIn(texts, language, part1.contingentCharges),
    },
    part2: {
      ...part2,
      recoveryAgentsClause: say(part2.recoveryAgentsClause),
      grievanceRedressalClause: say(part2.grievanceRedressalClause),
    },
    collateralExplanation: collateralExplanation && say(collateralExplanation),
  };
}
