import { Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import { Database, Fault } from '../../platform/index.js';
import { LenderAllowance } from '../access/page-allowances.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { StopConsequences, type StopRemains } from '../redirects/stop-consequences.js';
import { HostedReader } from './hosted-reader.js';
import { Leaving } from './leaving.js';

/** The applicant comes back from a provider, or leaves. */
@Injectable()
export class HostedVisits {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly reader: HostedReader,
    private readonly returns: RedirectReturnedService,
    private readonly allowance: LenderAllowance,
    private readonly leaving: Leaving,
    private readonly consequences: StopConsequences,
  ) {}

  async touch(key: HostedKey): Promise<void> {
    const journey = await this.reader.journey(key);
    await this.database.transaction((tx) => this.journeys.touch(tx, journey));
  }

  /** See `HostedJourneys.returned`. */
  async returned(key: HostedKey, step: RedirectStep): Promise<void> {
    const journey = await this.reader.journey(key);
    if (await this.allowance.take('VERDICTS_OF_JOURNEY', journey.id)) return;
    try {
      await this.returns.returned(journey, step);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'wrong_step') throw error;
    }
  }

  async stop(key: HostedKey): Promise<void> {
    await this.leaving.stop(await this.reader.journey(key));
  }

  async remains(key: HostedKey): Promise<StopRemains> {
    return this.consequences.of(await this.reader.journey(key));
  }
}
