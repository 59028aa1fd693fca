import { Injectable } from '@nestjs/common';
import type { KeyFactsStatement, KeyFactsView } from '../../key-facts/index.js';
import { Keyring } from '../../platform/index.js';
import { isChosen } from '../domain/chosen-loan.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { openKeptKeyFacts } from '../use-cases/instant-key-facts.js';

/** The statement of an instant loan as it was frozen. */
export interface FrozenInstantStatement {
  /** Canonical JSON: its SHA-256 is the hash that the applicant agreed to. */
  readonly content: string;
  readonly view: KeyFactsView;
}

/** Reads the statements of instant loans, for an auditor. */
@Injectable()
export class InstantLoanStatements {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly keyring: Keyring,
  ) {}

  /**
   * @returns null when there is no such application, or no offer of it was chosen
   * @throws Unreadable when what is kept is no longer what was hashed
   */
  async find(applicationId: string): Promise<FrozenInstantStatement | null> {
    const loan = await this.loans.findByLink(applicationId);
    if (!loan || !isChosen(loan)) return null;
    const content = openKeptKeyFacts(this.keyring, loan);
    const view = {
      statement: JSON.parse(content) as KeyFactsStatement,
      contentHash: loan.keyFactsHash,
      owner: { partnerId: loan.partnerId, subjectId: loan.id },
      isFrozen: true,
      isAgreed: loan.agreedAt !== null,
    };
    return { content, view };
  }
}
