import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../operator-flags/index.js';
import type { Tx } from '../platform/index.js';
import type { PutQuestion } from './claimed-question.js';

/** Of what is of a lender, and not of one partner's loan. */
const NO_PARTNER = '-';

/** Puts before the operator what lenders are asked in vain. */
@Injectable()
export class FailureFlags {
  constructor(private readonly flags: OperatorFlags) {}

  async raise(tx: Tx, { question, outcome }: PutQuestion): Promise<void> {
    const { lenderCode, partnerId, subjectId, kind, reference } = question;
    const facts = { lenderCode, kind, reference, subjectId };
    if (outcome.kind === 'GIVEN_UP') {
      // A lender that is gone has thousands of them, and one is enough to know it.
      const detail = { ...facts, failure: outcome.failure, since: question.createdAt };
      const ofLender = { partnerId: NO_PARTNER, subjectId: lenderCode };
      const cause = ['GIVEN_UP', kind];
      await this.flags.raise(tx, { ...ofLender, kind: 'LENDER_SILENT', cause, detail });
    } else if (outcome.kind === 'FAILED' && outcome.flag !== undefined) {
      const detail = { ...facts, failure: outcome.failure };
      const about = { kind: outcome.flag, cause: [lenderCode, kind], detail };
      // A release that puts one question wrongly puts all of this lender so.
      const isOurs = outcome.flag === 'INVALID_QUESTION';
      const whose = isOurs
        ? { partnerId: NO_PARTNER, subjectId: lenderCode }
        : { partnerId, subjectId };
      await this.flags.raise(tx, { ...whose, ...about });
    }
  }
}
