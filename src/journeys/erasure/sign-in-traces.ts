import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import { ConsentsRepository } from '../store/consents.repository.js';
import { HostedLinksRepository } from '../store/hosted-links.repository.js';
import { HostedSessionsRepository } from '../store/hosted-sessions.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { OneTimeCodesRepository } from '../store/one-time-codes.repository.js';

/** What the sign-ins of an applicant leave. */
@Injectable()
export class SignInTraces {
  static readonly PERSONAL_COLUMNS = [
    ...ConsentsRepository.PERSONAL_COLUMNS,
    ...OneTimeCodesRepository.PERSONAL_COLUMNS,
  ];

  constructor(
    private readonly consents: ConsentsRepository,
    private readonly codes: OneTimeCodesRepository,
    private readonly sessions: HostedSessionsRepository,
    private readonly links: HostedLinksRepository,
  ) {}

  /**
   * An erased applicant can no longer be signed in.
   * @returns how many rows still had personal data
   */
  async erase(tx: Tx, journey: Journey): Promise<number> {
    await this.sessions.endAllOf(tx, journey);
    await this.links.expireAllOf(tx, journey);
    const addresses = await this.consents.eraseAddresses(tx, journey);
    return addresses + (await this.codes.deleteAllOf(tx, journey));
  }
}
