import { Injectable, Module } from '@nestjs/common';
import type { KeyFactsStatement, KeyFactsView } from '../../key-facts/index.js';
import { Keyring } from '../../platform/index.js';
import { isChosen } from '../domain/chosen-loan.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { frozenView, openKeptKeyFacts } from '../use-cases/instant-key-facts.js';

interface FrozenInstantStatement {
  /** Canonical JSON; its SHA-256 is the hash agreed to. */
  readonly content: string;
  readonly view: KeyFactsView;
}

@Injectable()
export class InstantLoanStatements {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly keyring: Keyring,
  ) {}

  /**
   * @returns null without an application or a chosen offer
   * @throws Unreadable when the content does not match its hash
   */
  async find(applicationId: string): Promise<FrozenInstantStatement | null> {
    const loan = await this.loans.findByLink(applicationId);
    if (!loan || !isChosen(loan)) return null;
    const content = openKeptKeyFacts(this.keyring, loan);
    return { content, view: frozenView(loan, JSON.parse(content) as KeyFactsStatement) };
  }
}

@Module({ providers: [InstantLoanStatements, InstantLoansRepository] })
export class InstantLoanStatementsModule {}
