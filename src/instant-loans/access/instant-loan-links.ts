import { Injectable } from '@nestjs/common';
import { type Journey, JourneysRepository } from '../../journeys/index.js';
import { type Environment, InjectEnvironment, Keyring } from '../../platform/index.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

const PAY_PURPOSE = 'instant-loan';

/** The signed link is the applicant's only proof. */
@Injectable()
export class InstantLoanLinks {
  constructor(
    private readonly keyring: Keyring,
    private readonly loans: InstantLoansRepository,
    private readonly journeys: JourneysRepository,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  payLink(applicationId: string): string {
    return `${this.environment.baseUrl}${this.payPath(applicationId)}`;
  }

  payPath(applicationId: string): string {
    return `/pay/${this.payToken(applicationId)}`;
  }

  payToken(applicationId: string): string {
    return this.keyring.signLink(applicationId, PAY_PURPOSE);
  }

  /** The payment gateway sends the browser here. */
  returnLink(applicationId: string): string {
    return `${this.payLink(applicationId)}/done`;
  }

  /** Null for a forged link. */
  async journeyOf(token: string): Promise<Journey | null> {
    const id = this.keyring.readLink(token, PAY_PURPOSE);
    const loan = id === null ? null : await this.loans.findByLink(id);
    return loan && this.journeys.find(loan.partnerId, loan.journeyId);
  }
}
